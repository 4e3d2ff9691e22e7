// Files go to object storage directly, in parts that are tried again alone; where that is not possible, through the
// page's own address. Two at a time.
const uploads = new Set();
const waiting = [];
let busy = 0;

// backOn ends when the connection is back, or after a while: browsers are not always sure.
const backOn = (ms) => new Promise((done) => {
  const end = () => { window.removeEventListener('online', end); clearTimeout(timer); done(); };
  const timer = setTimeout(end, ms);
  window.addEventListener('online', end);
});

const label = (button, text, file) => {
  button.textContent = text;
  button.setAttribute('aria-label', text + ': ' + file.name);
};

const row = (form, file) => {
  const part = (name, text) => { const node = document.createElement(name); if (text) node.textContent = text; return node; };
  const line = part('li');
  const about = part('div');
  const name = part('p', file.name);
  const state = part('p');
  const bar = part('progress');
  const acts = part('div');
  const [again, stop] = [part('button'), part('button')];
  for (const [button, text] of [[again, words.retry], [stop, words.cancel]]) {
    button.type = 'button'; button.className = 'plain';
    label(button, text, file);
    acts.append(button);
  }
  name.className = 'file'; state.className = 'verdict';
  bar.max = 100; bar.value = 0; bar.setAttribute('aria-label', fill(words.sending, file.name));
  again.hidden = true; acts.className = 'acts';
  about.append(name, bar, state);
  line.append(about, acts);
  form.querySelector('.sending').append(line);
  return { line, state, bar, again, stop };
};

// refusal is an answer without success; status 0 is none at all. What has a code is no word of the page's, nor in its language.
const refusal = (status, value) => {
  const busy = status >= 500 || status === 429;
  return Object.assign(new Error(value.code && value.code !== 'limit_reached' ? '' : value.message || ''), { busy, final: status > 0 && !busy });
};

const ask = async (method, path, body) => {
  const headers = { Accept: 'application/json' };
  if (body) headers['Content-Type'] = 'application/json';
  const answer = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
  if (answer.status === 204) return {};
  const value = await answer.json().catch(() => ({}));
  if (answer.ok) return value;
  throw refusal(answer.status, value);
};

// put sends one piece; it ends with the status, 0 when there was no answer.
const put = (task, method, url, headers, body, from) => new Promise((done) => {
  const request = new XMLHttpRequest();
  task.request = request;
  const show = (loaded) => { task.view.bar.value = 100 * Math.min(1, (from + loaded) / Math.max(1, task.file.size)); };
  request.upload.onprogress = (e) => { task.moved = true; show(e.loaded); };
  request.onloadend = () => done(request);
  request.open(method, url);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.send(body);
});

// keep tries until it works, is cancelled, or is refused for good.
const keep = async (task, step) => {
  for (let tries = 0; !task.cancelled; tries++) {
    try { return await step(tries); } catch (error) {
      if (error.final || (navigator.onLine && tries >= 7)) throw error;
      const why = error.busy ? words.busy : words.waiting;
      task.view.state.textContent = why;
      if (tries === 0) say(why);
      await backOn(Math.min(15000, 500 * 2 ** tries));
      task.view.state.textContent = '';
    }
  }
  throw Object.assign(new Error(''), { final: true });
};

const direct = async (task) => {
  const { file } = task;
  const about = { filename: file.name, size: file.size, mimeType: file.type || 'application/octet-stream' };
  if (task.item) about.leadChecklistItemId = task.item;
  if (file.lastModified) about.lastModified = file.lastModified; // by which a page opened again knows what is left of it
  let plan = await keep(task, () => (task.id ? ask('GET', '/uploads/' + task.id) : ask('POST', '/uploads', about)));
  task.id = plan.id;
  while (plan.parts.length) {
    plan = await keep(task, async (tries) => {
      if (tries) plan = await ask('GET', '/uploads/' + task.id);
      for (const part of [...plan.parts]) {
        const from = (part.number - 1) * plan.partSize;
        const answer = await put(task, 'PUT', part.url, part.headers, file.slice(from, from + plan.partSize, part.headers['Content-Type'] || ''), from);
        if (task.cancelled) throw Object.assign(new Error(''), { final: true });
        if (answer.status !== 200) {
          if (tries >= 1 && (answer.status >= 400 || (!task.moved && navigator.onLine))) throw Object.assign(new Error(''), { final: true, unreachable: true });
          throw new Error('');
        }
        plan.parts.shift();
      }
      return plan;
    });
  }
  task.view.state.textContent = words.checking;
  return keep(task, () => ask('POST', '/uploads/' + task.id + '/complete'));
};

// through sends the file as a form does: for storage that browsers cannot reach.
const through = (task) => keep(task, async () => {
  const data = new FormData();
  if (task.item) data.append('leadChecklistItemId', task.item);
  data.append('files', task.file, task.file.name);
  const answer = await put(task, 'POST', base + '/files', { Accept: 'application/json' }, data, 0);
  let value = {};
  try { value = JSON.parse(answer.responseText); } catch { /* no words */ }
  if (answer.status === 200) return value;
  throw refusal(answer.status, value);
});

const upload = async (task) => {
  const { file, view } = task;
  label(view.stop, words.cancel, file);
  view.stop.onclick = () => {
    task.cancelled = true;
    if (task.request) task.request.abort();
    if (task.id) ask('DELETE', '/uploads/' + task.id).catch(() => {});
    drop(task, fill(words.cancelled, file.name));
  };
  try {
    const sent = await direct(task).catch((error) => {
      if (!error.unreachable || task.cancelled) throw error;
      ask('DELETE', '/uploads/' + task.id).catch(() => {});
      return through(task);
    });
    const same = sent.ids && sent.ids.includes(task.replaces); // the same bytes once more are the same document
    if (task.replaces && !same) await keep(task, () => load(base + '/documents/' + task.replaces + '/remove', { method: 'POST' }));
    drop(task, fill(words.sent, file.name));
    pending = true;
    await refresh().catch(() => {});
  } catch (error) {
    if (task.cancelled) return;
    if (error.final) task.id = null; // else the parts that arrived are not sent again
    view.line.classList.add('failed');
    view.state.textContent = error.message || words.failed;
    task.refused = !!error.message; // once more would be in vain
    view.again.hidden = task.refused;
    label(view.stop, words.remove, file);
    view.again.onclick = () => {
      view.line.classList.remove('failed');
      view.state.textContent = '';
      view.again.hidden = true;
      view.stop.focus();
      queue(task);
    };
    say(file.name + ': ' + view.state.textContent);
  }
};

const drop = (task, text) => {
  const next = task.view.line.contains(document.activeElement) && itemOf(task.view.line).querySelector('h3');
  task.view.line.remove();
  uploads.delete(task);
  if (next) next.focus({ preventScroll: true });
  say(text);
};

const queue = async (task) => {
  waiting.push(task);
  while (busy < 2 && waiting.length) {
    busy++;
    const next = waiting.shift();
    if (!next.cancelled) await upload(next);
    busy--;
  }
};

const send = (form, files, replaces) => {
  const hidden = form.querySelector('[name=leadChecklistItemId]');
  for (const file of files) {
    const task = { file, item: hidden ? hidden.value : '', replaces, view: row(form, file) };
    uploads.add(task);
    task.view.stop.onclick = () => { task.cancelled = true; drop(task, fill(words.cancelled, file.name)); };
    queue(task);
  }
};

const formOf = (item) => item && item.querySelector('.upload');
document.addEventListener('change', (e) => {
  if (e.target.type !== 'file') return;
  send(e.target.form, [...e.target.files], e.target.dataset.replaces);
  delete e.target.dataset.replaces;
  e.target.value = '';
});
document.addEventListener('click', (e) => {
  const button = e.target.closest('[data-replace]');
  if (!button) return;
  const input = formOf(itemOf(button)).querySelector('[type=file]');
  input.dataset.replaces = button.dataset.replace;
  input.click();
});
document.addEventListener('cancel', (e) => { if (e.target.type === 'file') delete e.target.dataset.replaces; }, true);

const dropZone = (e) => { const item = itemOf(e.target); return formOf(item) ? item : null; };
const carriesFiles = (e) => e.dataTransfer.types.includes('Files');
document.addEventListener('dragover', (e) => {
  if (!carriesFiles(e)) return;
  e.preventDefault(); // else the browser leaves the page for the file
  const item = dropZone(e);
  if (item) item.classList.add('over');
});
document.addEventListener('dragleave', (e) => { const item = dropZone(e); if (item && !item.contains(e.relatedTarget)) item.classList.remove('over'); });
document.addEventListener('drop', (e) => {
  if (!carriesFiles(e)) return;
  e.preventDefault();
  const item = dropZone(e);
  if (!item) return;
  item.classList.remove('over');
  send(formOf(item), [...e.dataTransfer.files]);
});
// Pasted files go to the item with the focus, or to the place for files of any kind. Spreadsheets and text processors
// copy a picture beside the text: a field is given the text.
document.addEventListener('paste', (e) => {
  const data = e.clipboardData;
  if (!data || !data.files.length) return;
  if (data.types.includes('text/plain') && e.target.matches('input, textarea')) return;
  e.preventDefault();
  send(formOf(dropZone(e) || document.getElementById('item-loose')), [...data.files]);
});
