// Answers are saved one by one, when a person leaves a field or asks for it. What could not be saved is tried again.
const sending = new Map(); // id of an item: what edits it had when its form was sent
const unsaved = new Map(); // id of an item: its form that could not be sent, and what edits it had
let soon = 0;
let waits = 0;

const complain = (form, text) => {
  const notes = itemOf(form).querySelector('.notes');
  let box = notes.querySelector('.problem');
  if (!box) { box = document.createElement('p'); box.className = 'said problem'; notes.append(box); }
  if (box.textContent === text) return;
  box.textContent = text;
  say(text);
};

const later = (item, form, now) => {
  unsaved.set(item.id, { form, now });
  clearTimeout(soon);
  soon = setTimeout(saveUnsaved, Math.min(30000, 1000 * 2 ** waits++));
};

// saveUnsaved leaves out what is being typed: it is saved when the field is left.
const saveUnsaved = () => {
  clearTimeout(soon);
  for (const [id, { form, now }] of [...unsaved]) {
    unsaved.delete(id);
    const item = document.getElementById(id);
    const again = item && (item.contains(form) ? form : item.querySelector('.field'));
    if (again && ((edits.get(id) || 0) === now || !item.contains(document.activeElement))) save(again);
  }
};

const save = async (form) => {
  const item = itemOf(form);
  const now = edits.get(item.id) || 0;
  if (sending.get(item.id) === now) return; // a click on Save right after leaving the field
  sending.set(item.id, now);
  const status = form.querySelector('[data-saving]');
  if (status) status.textContent = words.saving;
  try {
    const html = await load(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
    if ((edits.get(item.id) || 0) === now) edits.delete(item.id); // else more was typed meanwhile
    waits = 0;
    adopt(html, item.id);
  } catch (error) {
    if (status) status.textContent = '';
    complain(form, error.busy ? words.busy : words.offline);
    later(item, form, now);
  } finally {
    if (sending.get(item.id) === now) sending.delete(item.id);
  }
};

document.addEventListener('submit', (e) => {
  if (e.target.matches('.upload')) {
    e.preventDefault();
    return;
  }
  if (itemOf(e.target)) { e.preventDefault(); save(e.target); }
});

document.addEventListener('input', (e) => {
  const item = itemOf(e.target);
  if (item && e.target.closest('.field')) edits.set(item.id, (edits.get(item.id) || 0) + 1);
});

// A form of several inputs is saved when the last one is left, one of a single input when it changed.
const several = (form) => form.querySelectorAll('input:not([type=checkbox]), select, textarea').length > 1;
document.addEventListener('change', (e) => {
  const form = e.target.form;
  if (form && form.matches('.field') && !several(form)) save(form);
});
document.addEventListener('focusout', (e) => {
  const form = e.target.form;
  if (!form || !form.matches('.field') || !several(form) || form.contains(e.relatedTarget)) return;
  const item = itemOf(form);
  const typed = [...form.querySelectorAll('input')].some((input) => input.value.trim());
  if (edits.get(item.id) && typed) save(form);
});

window.addEventListener('online', saveUnsaved); // browsers are not always sure, so it is not waited for
window.addEventListener('beforeunload', (e) => { if (edits.size || [...uploads].some((task) => !task.refused)) e.preventDefault(); });
