// The page works without this file. With it, answers and files are saved without leaving the place, and
// verdicts arrive by themselves. What changed is taken from the server's own page, so nothing is rendered twice.
(() => {
  'use strict';
  const main = document.getElementById('main');
  const base = main && main.dataset.base;
  if (!base) return;
  document.documentElement.classList.add('scripted');
  const say = (text) => { const live = document.getElementById('live'); live.textContent = ''; setTimeout(() => { live.textContent = text; }, 50); };
  const dirty = new Set(); // ids of items with something typed and not saved
  const itemOf = (node) => node.closest && node.closest('.item');
  let pending = main.dataset.pending === 'true';
  let version = main.dataset.version;
  let sending = 0;

  // adopt puts another rendering of the page in place of this one, item by item. What a person is typing stays.
  const adopt = (html, saved) => {
    const next = new DOMParser().parseFromString(html, 'text/html');
    const into = next.getElementById('main');
    if (!into || !into.dataset.base) { location.reload(); return; }
    version = into.dataset.version;
    pending = into.dataset.pending === 'true';
    const before = new Map([...document.querySelectorAll('.item')].map((item) => [item.id, item]));
    const spoken = [];
    for (const fresh of next.querySelectorAll('.item')) {
      const old = before.get(fresh.id);
      const state = fresh.querySelector('.state');
      if (old && old.dataset.state !== fresh.dataset.state && state) {
        const reason = fresh.querySelector('.reason p');
        spoken.push(fresh.querySelector('h3').textContent.trim() + ': ' + state.textContent + (reason ? '. ' + reason.textContent : ''));
      }
      if (!old) continue;
      const keep = fresh.id !== saved && (dirty.has(fresh.id) || old.contains(document.activeElement)) && !old.querySelector('.upload');
      const busy = old.querySelector('.sending:not(:empty)');
      if (keep) {
        old.dataset.state = fresh.dataset.state;
        const shown = old.querySelector('.state');
        if (shown && state) shown.replaceWith(state.cloneNode(true));
        fresh.replaceWith(old);
      } else if (busy) {
        fresh.querySelector('.sending').replaceWith(busy);
      }
      if (fresh.id === saved) dirty.delete(saved);
    }
    const focus = document.activeElement && document.activeElement.id;
    document.getElementById('top').replaceWith(next.getElementById('top'));
    document.getElementById('groups').replaceWith(next.getElementById('groups'));
    if (focus && document.activeElement.id !== focus) { const again = document.getElementById(focus); if (again) again.focus({ preventScroll: true }); }
    const said = saved && document.querySelector('#' + CSS.escape(saved) + ' .said');
    if (said && !spoken.length) spoken.push(said.textContent);
    if (spoken.length) say(spoken.join('. '));
  };

  const refresh = async () => adopt(await (await fetch(base, { headers: { Accept: 'text/html' } })).text());

  const complain = (form, text) => {
    let box = form.querySelector('.problem');
    if (!box) { box = document.createElement('p'); box.className = 'said problem'; form.append(box); }
    box.textContent = text;
    say(text);
  };

  // Plain forms: an answer, or a removal.
  const submit = async (form) => {
    const button = form.querySelector('button');
    const item = itemOf(form);
    button.disabled = true;
    try {
      const answer = await fetch(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)), headers: { Accept: 'text/html' } });
      const focused = button === document.activeElement && button.form === form;
      adopt(await answer.text(), item.id);
      if (focused) { const now = document.querySelector('#' + CSS.escape(item.id) + ' button'); if (now) now.focus({ preventScroll: true }); }
      poll();
    } catch {
      button.disabled = false;
      complain(form, main.dataset.offline);
    }
  };

  // Files go one by one, so that one that fails is tried again alone.
  const send = (form, file) => {
    const row = document.createElement('li');
    const words = document.createElement('div');
    const name = document.createElement('p');
    const bar = document.createElement('progress');
    const stop = document.createElement('button');
    name.className = 'file'; name.textContent = main.dataset.sending.replace('%s', file.name);
    bar.max = 100; bar.value = 0; bar.setAttribute('aria-label', name.textContent);
    stop.type = 'button'; stop.className = 'plain';
    words.append(name, bar); row.append(words, stop);
    form.querySelector('.sending').append(row);
    const data = new FormData();
    const item = form.querySelector('[name=leadChecklistItemId]');
    if (item) data.append('leadChecklistItemId', item.value);
    data.append('files', file, file.name);
    const start = () => new Promise((done) => {
      const request = new XMLHttpRequest();
      const fail = (text) => {
        name.textContent = text || main.dataset.failed.replace('%s', file.name);
        stop.textContent = main.dataset.retry;
        stop.onclick = () => { name.textContent = main.dataset.sending.replace('%s', file.name); queue(start); };
        say(name.textContent);
        done();
      };
      stop.textContent = main.dataset.cancel;
      stop.onclick = () => request.abort();
      request.upload.onprogress = (e) => { if (e.lengthComputable) bar.value = 100 * e.loaded / e.total; };
      request.onload = async () => {
        let problem = '';
        try { problem = JSON.parse(request.responseText).message || ''; } catch { /* not JSON: no words */ }
        if (request.status !== 200) { fail(problem); return; }
        row.remove();
        say(main.dataset.sent.replace('%s', file.name));
        try { await refresh(); } catch { pending = true; }
        done();
      };
      request.onerror = () => fail();
      request.onabort = () => { row.remove(); done(); };
      request.open('POST', form.action);
      request.setRequestHeader('Accept', 'application/json');
      request.send(data);
    });
    queue(start);
  };
  const waiting = [];
  const queue = (start) => { waiting.push(start); next(); };
  const next = async () => {
    if (sending >= 2 || !waiting.length) return;
    sending++;
    await waiting.shift()();
    sending--;
    next();
    poll();
  };

  document.addEventListener('submit', (e) => {
    if (e.target.matches('.upload')) {
      e.preventDefault();
      for (const file of e.target.querySelector('[type=file]').files) send(e.target, file);
      return;
    }
    if (itemOf(e.target)) { e.preventDefault(); submit(e.target); }
  });
  document.addEventListener('input', (e) => { const item = itemOf(e.target); if (item && e.target.type !== 'file') dirty.add(item.id); });
  document.addEventListener('change', (e) => {
    if (e.target.type !== 'file') return;
    for (const file of e.target.files) send(e.target.form, file);
    e.target.value = '';
  });
  const dropZone = (e) => { const item = itemOf(e.target); return item && item.querySelector('.upload') ? item : null; };
  document.addEventListener('dragover', (e) => { e.preventDefault(); const item = dropZone(e); if (item) item.classList.add('over'); });
  document.addEventListener('dragleave', (e) => { const item = dropZone(e); if (item && !item.contains(e.relatedTarget)) item.classList.remove('over'); });
  document.addEventListener('drop', (e) => {
    e.preventDefault();
    const item = dropZone(e);
    if (!item) return;
    item.classList.remove('over');
    for (const file of e.dataTransfer.files) send(item.querySelector('.upload'), file);
  });
  document.addEventListener('paste', (e) => {
    const item = dropZone(e);
    if (!item || !e.clipboardData.files.length) return;
    e.preventDefault();
    for (const file of e.clipboardData.files) send(item.querySelector('.upload'), file);
  });

  let timer = 0;
  const poll = () => { if (pending && !timer) timer = setTimeout(ask, 2000); };
  const ask = async () => {
    timer = 0;
    try {
      if (!document.hidden) {
        const answer = await fetch(base + '/status', { headers: { Accept: 'application/json' } });
        if (answer.ok) {
          const status = await answer.json();
          pending = status.pending;
          if (status.version !== version) await refresh();
        }
      }
    } catch { /* offline: the next question comes in two seconds */ }
    poll();
  };
  window.addEventListener('focus', () => { if (!timer) { timer = setTimeout(ask, 0); } });
  poll();
})();
