// Answers are saved one by one, when a person leaves a field or asks for it.
const sending = new Map(); // id of an item: what edits it had when its form was sent

const complain = (form, text) => {
  const notes = itemOf(form).querySelector('.notes');
  let box = notes.querySelector('.problem');
  if (!box) { box = document.createElement('p'); box.className = 'said problem'; notes.append(box); }
  box.textContent = text;
  say(text);
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
    adopt(html, item.id);
  } catch {
    if (status) status.textContent = '';
    complain(form, words.offline);
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

// What could not be saved without a connection is saved when it is back.
window.addEventListener('online', () => {
  for (const id of [...edits.keys()]) {
    const item = document.getElementById(id);
    const form = item && item.querySelector('.field');
    if (form) save(form);
  }
});
window.addEventListener('beforeunload', (e) => { if (edits.size || uploads.size) e.preventDefault(); });
