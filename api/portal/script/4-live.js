// Verdicts arrive as events; where events do not come through, the page asks.
let stream = null;
let heard = false; // events come through
let mute = 0; // streams that ended without one
let timer = 0;

const watch = () => {
  if (document.hidden) { if (stream) { stream.close(); stream = null; } return; }
  if (mute < 2 && window.EventSource) listen();
  else if (pending && !timer) timer = setTimeout(poll, 2000);
};

const listen = () => {
  if (stream) return;
  stream = new EventSource(base + '/events?seen=' + encodeURIComponent(stamp));
  heard = false;
  const patience = setTimeout(() => { if (!heard) deaf(); }, 8000);
  stream.addEventListener('ready', () => { heard = true; mute = 0; clearTimeout(patience); });
  stream.addEventListener('status', (e) => take(JSON.parse(e.data)));
  stream.onerror = () => {
    clearTimeout(patience);
    if (!heard) { deaf(); return; }
    heard = false; // the browser connects again by itself
    if (stream && stream.readyState === EventSource.CLOSED) deaf();
  };
};

const deaf = () => {
  mute++;
  if (stream) { stream.close(); stream = null; }
  setTimeout(watch, 1000);
};

const take = (status) => {
  pending = status.pending;
  if (status.version !== version) refresh().catch(() => {});
};

const poll = async () => {
  timer = 0;
  try {
    const answer = await fetch(base + '/status', { headers: { Accept: 'application/json' } });
    if (answer.ok) take(await answer.json());
  } catch { /* offline: the next question comes in two seconds */ }
  watch();
};

document.addEventListener('visibilitychange', watch);
window.addEventListener('focus', () => { if (mute >= 2 && !timer) timer = setTimeout(poll, 0); });
window.addEventListener('online', () => { mute = 0; watch(); });
watch();
