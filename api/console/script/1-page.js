// Pages are the server's; the script makes their forms call operations of the API, and shows the page anew in place.
const base = document.body.dataset.base;
const policy = window.trustedTypes && trustedTypes.createPolicy('console', { createHTML: (html) => html });
const parse = (html) => new DOMParser().parseFromString(policy ? policy.createHTML(html) : html, 'text/html');
const $ = (selector, from = document) => from.querySelector(selector);
const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];
const make = (tag, properties = {}, ...children) => {
  const { dataset, ...plain } = properties;
  const node = Object.assign(document.createElement(tag), plain);
  Object.assign(node.dataset, dataset || {});
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
};

// States of items, and names that the API has for rows, in words.
const stateWords = { TODO: 'to do', IN_PROGRESS: 'in progress', COMPLETED: 'complete', INVALID: 'not accepted', NEEDS_REVIEW: 'needs review', SKIPPED: 'skipped' };
const plainWords = (name) => { const words = name.replaceAll('_', ' ').replace(/([a-z])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`); return words.charAt(0).toUpperCase() + words.slice(1); };

// toast says what was done, or what was not; what went wrong stays until it is put away.
const toast = (text, bad = false, act = null, stays = false) => {
  const note = make('p', { className: bad ? 'toast bad' : 'toast' }, make('span', { textContent: text }));
  if (act) note.append(make('button', { type: 'button', textContent: act.label, onclick: () => { note.remove(); act.run(); } }));
  if (bad) note.append(make('button', { type: 'button', textContent: 'Close', onclick: () => note.remove() }));
  $('#toasts').append(note);
  if (!bad && !stays) setTimeout(() => note.remove(), act ? 12000 : 5000);
  return note;
};

// moments are said in the person's own time.
const localTimes = (text) => text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, (at) => new Date(at).toLocaleString([], { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' }));

// Trouble is an answer that is none, in words for the person.
class Trouble extends Error {
  constructor(status, body) {
    const faults = (body && body.errors) || [];
    super(localTimes(faults.length ? faults.map((f) => (/[.!?]$/.test(f.detail) ? f.detail : `${f.detail}.`)).join(' ') : (body && body.detail) || 'The service could not be reached. Nothing was changed.'));
    this.status = status;
    this.code = body && body.code;
    this.body = body;
  }
}

// call is one operation. Whoever is not signed in any more is led to the sign-in; drafts stay in the browser.
const call = async (method, path, body, headers = {}) => {
  const options = { method, headers: { Accept: 'application/json', ...headers }, credentials: 'same-origin' };
  if (body instanceof FormData) options.body = body;
  else if (body !== undefined) { options.body = JSON.stringify(body); options.headers['Content-Type'] = 'application/json'; }
  let answer;
  try { answer = await fetch(base + path, options); } catch { offline(true); throw new Trouble(0, null); }
  offline(false);
  const text = await answer.text();
  let json = null;
  try { json = text ? JSON.parse(text) : null; } catch { json = null; }
  if (answer.status === 401) throw new Trouble(401, { detail: 'Your session has ended. Sign in again in another window; what you typed is still here.' });
  if (!answer.ok) throw new Trouble(answer.status, json);
  return { json, tag: answer.headers.get('ETag'), status: answer.status };
};

// values are what a form says: names with dots are members, checkboxes are sent when they are ticked, empty fields not.
const put = (target, path, value) => {
  const names = path.split('.');
  let at = target;
  names.slice(0, -1).forEach((name, i) => { at = at[name] ??= /^\d+$/.test(names[i + 1]) ? [] : {}; });
  at[names.at(-1)] = value;
};
const typed = (field) => {
  switch (field.dataset.type) {
    case 'bool': return field.type === 'checkbox' ? field.checked : field.value === 'true';
    case 'number': return Number(field.value);
    case 'list': return field.value.split(',').map((s) => s.trim()).filter(Boolean);
    case 'json': return JSON.parse(field.value);
    default: return field.value;
  }
};
const values = (form) => {
  const body = {};
  const into = form.dataset.into ? form.dataset.into + '.' : '';
  for (const field of form.elements) {
    if (!field.name || field.disabled || field.type === 'submit') continue;
    if (field.type === 'checkbox' && !field.checked) continue;
    if (field.value === '' && !('empty' in field.dataset)) continue;
    put(body, ('root' in field.dataset ? '' : into) + field.name, typed(field));
  }
  return body;
};

// chosenFiles is a form of files without the fields in which none was chosen.
const chosenFiles = (form) => {
  const data = new FormData(form);
  for (const field of $$('input[type=file]', form)) if (!field.files.length) data.delete(field.name);
  return data;
};

const fillIn = (pattern, json) => pattern.replace(/\{([\w.]+)\}/g, (_, path) => path.split('.').reduce((at, name) => at && at[name], json) ?? '');

// ask is a question with two answers.
const ask = (text, label = 'Go on', tone = 'primary') => new Promise((resolve) => {
  const dialog = make('dialog', { ariaLabel: text }, make('p', { textContent: text }), make('form', { method: 'dialog', className: 'row' },
    make('button', { value: '', textContent: 'Keep as it is' }), make('button', { value: 'yes', className: tone, textContent: label })));
  document.body.append(dialog);
  dialog.addEventListener('close', () => { dialog.remove(); resolve(dialog.returnValue === 'yes'); });
  dialog.showModal();
});

// show brings the page as it is now, in place: what is open stays open, the focus stays where it was. unless is asked
// last: a page that changed by itself takes nothing out of the person's hand. It reports whether the page was shown.
let beforeShow = null; // what a page keeps of itself for the one that takes its place
const show = async (address = location.href, push = false, unless = () => false) => {
  const answer = await fetch(address, { headers: { Accept: 'text/html' }, credentials: 'same-origin' }).catch(() => null);
  if (!answer) { offline(true); return false; }
  if (answer.redirected && new URL(answer.url).pathname.endsWith('/sign-in')) { location.assign(answer.url); return true; }
  const next = parse(await answer.text());
  const fresh = $('#main', next);
  if (unless()) return false;
  if (!fresh) { location.assign(address); return true; }
  if (beforeShow) beforeShow();
  beforeShow = null;
  const focused = document.activeElement && document.activeElement.id;
  const open = $$('details[open]').map((d) => d.closest('[id]')).filter(Boolean).map((n) => n.id);
  $('#main').replaceWith(document.adoptNode(fresh));
  document.title = next.title;
  if (push) history.pushState(null, '', address);
  for (const id of open) { const of = document.getElementById(id); const d = of && (of.matches('details') ? of : $('details', of)); if (d && id !== 'main') d.open = true; }
  if (focused && document.getElementById(focused)) document.getElementById(focused).focus();
  else if (document.activeElement === document.body) $('#main').focus({ preventScroll: true });
  begin();
  return true;
};

const refuse = (form, trouble) => {
  let line = $('.trouble', form);
  if (!line) { line = make('p', { className: 'trouble', role: 'alert' }); form.append(line); }
  // Fields are called as the form calls them.
  line.textContent = [...form.elements].reduce((text, field) => {
    const label = field.name && field.type !== 'hidden' && field.labels && field.labels[0];
    return label ? text.replace(new RegExp(`\\b${field.name.split('.').pop()}\\b`, 'g'), label.firstChild.textContent.trim()) : text;
  }, trouble.message);
};

document.addEventListener('submit', async (event) => {
  const form = event.target.closest('form.act');
  if (!form) return;
  event.preventDefault();
  const button = event.submitter || $('button[type=submit]', form);
  if (form.dataset.busy) return;
  if (form.dataset.confirm && !await ask(form.dataset.confirm, button.textContent)) return;
  form.dataset.busy = 'yes';
  button.setAttribute('aria-disabled', 'true');
  try {
    const method = form.dataset.method;
    const body = 'multipart' in form.dataset ? chosenFiles(form) : method === 'DELETE' ? undefined : values(form);
    if (form.dataset.dry) {
      const { json } = await call(method, form.dataset.path, { ...body, dryRun: true });
      if (!await ask(fillIn(form.dataset.dry, json), button.textContent.replace('…', ''), button.classList.contains('danger') ? 'danger' : 'primary')) return;
    }
    const { json } = await call(method, form.dataset.path, body && Object.keys(body).length === 0 && !(body instanceof FormData) ? undefined : body);
    forget(form);
    if (form.dataset.once) { showOnce(form.dataset.once, json); return; }
    if (form.dataset.then) { location.assign(base + fillIn(form.dataset.then, json)); return; }
    const menu = form.closest('details.menu');
    if (menu) menu.open = false;
    await show();
    toast(form.dataset.done || 'Saved.');
  } catch (trouble) {
    if (!(trouble instanceof Trouble)) throw trouble;
    refuse(form, trouble);
  } finally {
    delete form.dataset.busy;
    button.removeAttribute('aria-disabled');
  }
});

// showOnce shows what the service tells once only: a secret.
const showOnce = (member, json) => {
  const secret = fillIn('{' + member + '}', json);
  const dialog = make('dialog', { ariaLabel: 'Shown once' }, make('p', { textContent: 'This is shown once. Keep it where secrets are kept.' }),
    make('code', { className: 'command', textContent: secret }),
    make('form', { method: 'dialog', className: 'row' }, make('button', { type: 'button', textContent: 'Copy', onclick: () => navigator.clipboard.writeText(secret) }), make('button', { className: 'primary', textContent: 'Done' })));
  document.body.append(dialog);
  dialog.addEventListener('close', () => { dialog.remove(); show(); });
  dialog.showModal();
};

// Drafts: what is typed into the text fields of a page is kept in this browser until it is sent or the person signs out.
const draftKey = (field) => `draft:${location.pathname}:${field.form.dataset.path}:${field.name}`;
const drafts = (form) => $$('textarea[name], input[name]:not([type]), input[type=text][name]', form).filter((f) => f.form && f.form.dataset.path);
document.addEventListener('input', (event) => {
  const field = event.target;
  if (field.form && field.form.matches('form.act') && drafts(field.form).includes(field)) sessionStorage.setItem(draftKey(field), field.value);
});
const forget = (form) => drafts(form).forEach((field) => sessionStorage.removeItem(draftKey(field)));
const forgetAll = () => { sessionStorage.clear(); localStorage.setItem('over', '1'); localStorage.clear(); };
// What one person typed no other finds, in this window or another: not after the sign-out, nor after a session that ended.
addEventListener('storage', (event) => { if (event.key === null || event.key === 'over') sessionStorage.clear(); });
for (const store of [localStorage, sessionStorage]) {
  if (store.getItem('whose') !== document.body.dataset.person) { store.clear(); store.setItem('whose', document.body.dataset.person); }
}
document.addEventListener('submit', (event) => { if (event.target.matches('.signout')) forgetAll(); });

document.addEventListener('click', async (event) => {
  const copy = event.target.closest('[data-copy]');
  if (copy) { await navigator.clipboard.writeText(copy.dataset.copy); toast('Copied.'); return; }
  const chosen = event.target.closest('[data-workspace]');
  if (chosen) {
    await call('GET', '/api/v1/me', undefined, { 'X-Dossier-Workspace': chosen.dataset.workspace });
    forgetAll();
    location.assign(base + '/console');
    return;
  }
  for (const menu of $$('details.menu[open]')) if (!menu.contains(event.target)) menu.open = false;
  const link = event.target.closest('a[href^="#item-"]');
  if (link) { const d = $('details', document.getElementById(link.hash.slice(1))); if (d) d.open = true; }
});
// While the account is open nothing behind it is reached.
document.addEventListener('toggle', (event) => {
  const menu = event.target;
  if (menu.matches('details.me')) $('#main').inert = menu.open;
  const field = menu.matches('details.menu') && menu.open && $('textarea, input:not([type=hidden])', menu);
  if (field && !menu.contains(document.activeElement.closest('form'))) field.focus();
}, true);
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') for (const menu of $$('details.menu[open]')) { menu.open = false; $('summary', menu).focus(); }
});

// Keys that every page has. Pages add theirs; `?` lists them all.
const keys = new Map();
const bind = (key, words, run) => keys.set(key, { words, run });
const typing = (node) => node.closest && node.closest('input, textarea, select, [contenteditable], dialog');
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  if ((event.key === 'Enter' || event.key === ' ') && event.target.closest('a, button, summary')) return;
  const bound = keys.get(event.key);
  if (bound) { event.preventDefault(); bound.run(event); }
});
bind('?', 'Show the keys', () => {
  const rows = [...keys].map(([key, { words }]) => make('tr', {}, make('td', {}, make('kbd', { textContent: key === ' ' ? 'Space' : key })), make('td', { textContent: words })));
  const dialog = make('dialog', { ariaLabel: 'Keys' }, make('h2', { textContent: 'Keys' }), make('table', {}, make('tbody', {}, ...rows)),
    make('form', { method: 'dialog', className: 'row' }, make('button', { textContent: 'Close' })));
  document.body.append(dialog);
  dialog.addEventListener('close', () => dialog.remove());
  dialog.showModal();
});

// offline says that the line is down: when the browser knows it, and when a call did not get through.
const offline = (down) => { $('.offline[role]').hidden = !down; };
addEventListener('online', () => offline(false));
addEventListener('offline', () => offline(true));

// parts are what a page's own script does with the page, each time it was written.
const parts = [];
// Of tabs that are wider than the window the one that is shown stands in sight.
const tabsInSight = () => {
  for (const tab of $$('.tabs [aria-current], .bar nav [aria-current], .chips [aria-current]')) { const row = tab.closest('nav'); row.scrollLeft += tab.getBoundingClientRect().left - row.getBoundingClientRect().left - (row.clientWidth - tab.offsetWidth) / 2; }
};
addEventListener('resize', tabsInSight);
const begin = () => {
  const foot = $('.foot');
  if (foot) foot.hidden = !$('main time');
  for (const zone of $$('.zone')) zone.textContent = `Times are shown in ${Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ')}.`;
  for (const time of $$('time[datetime]')) {
    const at = new Date(time.dateTime);
    time.title = `${at.toLocaleString([], { dateStyle: 'full', timeStyle: 'long' })} – ${time.textContent}`;
    time.textContent = at.toLocaleString([], { day: 'numeric', month: 'short', year: at.getFullYear() === new Date().getFullYear() ? undefined : 'numeric', hour: 'numeric', minute: '2-digit' });
  }
  tabsInSight();
  for (const field of drafts(document)) {
    const kept = sessionStorage.getItem(draftKey(field));
    if (kept !== null && kept !== field.value) field.value = kept;
  }
  for (const field of $$('[data-key]')) bind(field.dataset.key, field.getAttribute('aria-label') || field.firstChild.textContent.trim(), () => (field.matches('input') ? field.focus() : field.click()));
  // A text message has no subject: the field is there for the channel that has one.
  for (const field of $$('[data-only]')) {
    const channel = field.closest('form').elements.channel;
    channel.onchange = () => { field.hidden = $('input', field).disabled = channel.value !== field.dataset.only; };
    channel.onchange();
  }
  const again = $('[data-again]');
  if (again) setTimeout(() => { if (document.contains(again)) show(); }, 1000);
  for (const part of parts) part();
};
