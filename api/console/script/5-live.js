// Live: the page hears when what it shows was changed by somebody else, and who else looks at it. Only the page in
// front listens: any number of windows may lie behind it.
const tabName = crypto.randomUUID ? crypto.randomUUID() : String(Math.random()).slice(2);
let stream = null, streamOf = '', stamp = '', stampOf = '', waits = null;

const names = (list) => (list.length < 2 ? list.join('') : `${list.slice(0, -1).join(', ')} and ${list.at(-1)}`);
const others = (list) => {
  const line = $('#others');
  line.hidden = !list.length;
  line.textContent = list.length ? `${names(list)} ${list.length === 1 ? 'is' : 'are'} looking at this too.` : '';
};

// inHand says that the person is at something that a page shown anew would take away.
const inHand = () => typing(document.activeElement) || $('dialog[open], details.menu[open], form[data-busy], .drawing');
const anew = async () => {
  if (!inHand() && await show(location.href, false, inHand)) return;
  if (waits && document.contains(waits)) return;
  waits = toast('Something here was changed meanwhile. What you typed stays.', false, { label: 'Show it', run: () => show() }, true);
};

const listen = () => {
  const main = $('#main');
  const lead = main && main.dataset.lead;
  const of = lead && !document.hidden && window.EventSource ? `leadId=${lead}&at=${encodeURIComponent(main.dataset.at)}` : '';
  if (stream && streamOf === of && stream.readyState !== EventSource.CLOSED) return;
  if (stream) stream.close();
  stream = null; streamOf = of;
  if (!of) { others([]); return; }
  if (stampOf !== lead) { stampOf = lead; stamp = ''; }
  stream = new EventSource(`${base}/console/events?${of}&tab=${tabName}&seen=${stamp}`);
  stream.addEventListener('people', (event) => others(JSON.parse(event.data)));
  stream.addEventListener('changed', (event) => {
    if (event.data === stamp) return;
    const first = stamp === '';
    stamp = event.data;
    if (!first) anew();
  });
  const mine = stream;
  // The browser connects again by itself, but not after a refusal.
  mine.onerror = () => { if (mine === stream && mine.readyState === EventSource.CLOSED) { others([]); setTimeout(listen, 10000); } };
};
// A page that was shown anew shows what was changed.
parts.push(() => { if (waits) waits.remove(); waits = null; listen(); });
document.addEventListener('visibilitychange', () => { listen(); if (!document.hidden && $('table.work') && !inHand()) show(); });
addEventListener('pagehide', () => { if (stream) stream.close(); });
