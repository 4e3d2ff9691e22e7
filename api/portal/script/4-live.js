// Events tell that something changed, and the page asks what; where events do not come through, it asks by itself.
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
  stream.addEventListener('changed', (e) => { if (e.data !== stamp) look(e.data); }); // else it is what this page just did
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

// look asks for the state; now is the stamp it was told of. What cannot be had offline is had at the next chance.
const look = async (now) => {
  try {
    const answer = await fetch(base + '/status', { headers: { Accept: 'application/json' } });
    if (!answer.ok) return;
    const status = await answer.json();
    pending = status.pending;
    if (status.version !== version) await refresh();
    else if (now) stamp = now;
  } catch { /* offline */ }
};

const poll = async () => {
  timer = 0;
  await look();
  watch();
};

document.addEventListener('visibilitychange', watch);
window.addEventListener('focus', () => { if (mute >= 2 && !timer) timer = setTimeout(poll, 0); });
window.addEventListener('online', () => { mute = 0; watch(); });
watch();
