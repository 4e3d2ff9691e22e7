// The page works without script. With it, answers and files are saved without leaving the place, and verdicts arrive
// by themselves. What changed is taken from the server's own page, so nothing is rendered twice.
const main = document.getElementById('main');
const base = main.dataset.base;
const words = main.dataset;
document.documentElement.classList.add('scripted');

let version = words.version;
let stamp = words.stamp; // of what the server read for this page
let pending = words.pending === 'true';

const policy = window.trustedTypes && trustedTypes.createPolicy('portal', { createHTML: (html) => html });
const parse = (html) => new DOMParser().parseFromString(policy ? policy.createHTML(html) : html, 'text/html');

// say tells a screen reader. Each thing said is a line of its own, so that none is lost to the next.
const say = (text) => {
  if (!text) return;
  const line = document.createElement('p');
  line.textContent = text;
  const live = document.getElementById('live');
  live.append(line);
  while (live.children.length > 8) live.firstElementChild.remove();
};

const itemOf = (node) => node && node.closest && node.closest('.item');
const fill = (text, name) => text.replace('%s', () => name);
const edits = new Map(); // id of an item: how often something was typed since it was saved

// seen is each part of the page as the server last wrote it: what is the same is left alone.
const seen = new Map();
const written = (node) => seen.get(node.id) === node.outerHTML || !seen.set(node.id, node.outerHTML);
for (const node of document.querySelectorAll('.item, #top, #progress, .group')) written(node);

// adopt takes over another rendering of the page. saved names the item whose form was just sent; what a person is
// typing elsewhere stays.
const adopt = (html, saved) => {
  const next = parse(html);
  const into = next.getElementById('main');
  if (!into || !into.dataset.base) { location.reload(); return; }
  version = into.dataset.version;
  stamp = into.dataset.stamp;
  pending = into.dataset.pending === 'true';
  // What this tab is sending stands in its own list.
  const mine = [...uploads].map((task) => task.id);
  for (const file of next.querySelectorAll('[data-state=AWAITED]')) if (mine.includes(file.dataset.id)) file.remove();
  const notice = next.querySelector('.notice');
  if (notice) say(notice.textContent);
  for (const id of ['progress', 'top']) {
    const fresh = next.getElementById(id);
    const end = fresh.querySelector('.finished h2');
    if (end && !saved && !document.querySelector('.finished')) say(end.textContent);
    if (!written(fresh)) document.getElementById(id).replaceWith(fresh);
  }
  merge(document.getElementById('groups'), next.getElementById('groups'), (section, fresh) => {
    const heading = fresh.querySelector('.group');
    if (!written(heading)) section.querySelector('.group').replaceWith(heading);
    merge(section.querySelector('.card'), fresh.querySelector('.card'), (item, now) => update(item, now, saved));
  });
  watch();
};

// merge brings the children of a node into the order of another's, by id.
const merge = (node, fresh, change) => {
  const wanted = [...fresh.children];
  const ids = new Set(wanted.map((child) => child.id));
  for (const child of [...node.children]) if (!ids.has(child.id)) child.remove();
  wanted.forEach((child, i) => {
    const mine = document.getElementById(child.id);
    if (mine) { change(mine, child); return; }
    for (const item of child.matches('.item') ? [child] : child.querySelectorAll('.item, .group')) written(item);
    node.insertBefore(child, node.children[i] || null);
    const label = child.querySelector('h3');
    if (label) say(fill(words.shown, label.textContent.trim()));
  });
};

const update = (item, fresh, saved) => {
  if (written(fresh) && item.id !== saved) return;
  tell(item, fresh, saved);
  const active = document.activeElement;
  const focused = item.contains(active);
  const typing = focused && active.matches('.field input, .field select, .field textarea');
  if (item.id === saved ? edits.get(item.id) : edits.get(item.id) || typing) {
    item.dataset.state = fresh.dataset.state;
    for (const part of ['.head', '.notes', '.given']) {
      const [old, now] = [item.querySelector(part), fresh.querySelector(part)];
      if (old && now) old.replaceWith(now);
    }
    return;
  }
  const busy = item.querySelector('.sending:not(:empty)');
  if (busy) fresh.querySelector('.sending').replaceWith(busy);
  const folded = fresh.querySelector('details');
  const before = item.querySelector('details');
  if (folded && (item.id === saved || (before ? before.open : focused))) folded.open = true;
  item.replaceWith(fresh);
  if (!focused) return;
  const again = (active.id && document.getElementById(active.id)) || fresh.querySelector('h3');
  again.focus({ preventScroll: true });
};

const sentences = (node) => [...node.children].map((p) => p.textContent.trim().replace(/[^.!?]$/, '$&.')).join(' ');

const tell = (item, fresh, saved) => {
  const state = fresh.querySelector('.state');
  const said = fresh.querySelector('.said');
  if (item.id === saved && said) { say(said.textContent); return; }
  if (item.dataset.state === fresh.dataset.state || !state) return;
  const reason = fresh.querySelector('.reason');
  say(fresh.querySelector('h3').textContent.trim() + ': ' + state.textContent + (reason ? '. ' + sentences(reason) : ''));
};

const load = async (url, options) => {
  const signal = AbortSignal.timeout && AbortSignal.timeout(45000); // a phone between two cells waits for ever
  const answer = await fetch(url, { headers: { Accept: 'text/html', 'X-Portal-Part': '1' }, signal, ...options });
  if (answer.status >= 500 || answer.status === 429) throw Object.assign(new Error(''), { busy: true });
  return answer.text();
};
const refresh = async () => adopt(await load(base));
