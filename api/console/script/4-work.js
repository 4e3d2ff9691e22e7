// The queue, and the claim on what a person looks at: nobody else decides it meanwhile, and nobody overwrites.
// Whoever began with one code goes on with it, as long as there is one.
const nextReview = async (code = sessionStorage.getItem('queue') || '') => {
  sessionStorage.setItem('queue', code);
  try {
    const { json, status } = await call('POST', '/api/v1/reviews/next', code ? { codes: [code] } : {});
    if ((status === 204 || !json) && code) { await nextReview(''); return; }
    if (status === 204 || !json) { sessionStorage.setItem('told', 'Nothing more waits.'); location.assign(`${base}/console`); return; }
    location.assign(`${base}/console/reviews/${json.review.id}`);
  } catch (trouble) { if (!(trouble instanceof Trouble)) throw trouble; toast(trouble.message, true); }
};

// A page that nobody touches holds nothing for long, and keeps no session open.
let touched = Date.now();
for (const kind of ['pointerdown', 'keydown', 'wheel']) addEventListener(kind, () => { touched = Date.now(); }, { passive: true });
const handsOff = 10 * 60 * 1000;

let held = null; // the review that this page holds
const letGo = () => { if (held) { fetch(`${base}/api/v1/reviews/${held}/release`, { method: 'POST', keepalive: true, credentials: 'same-origin' }).catch(() => {}); held = null; } };
addEventListener('pagehide', letGo);

parts.push(() => {
  const told = sessionStorage.getItem('told');
  if (told) { sessionStorage.removeItem('told'); toast(told); }
  const next = $('[data-next]');
  if (next) { next.onclick = () => nextReview(next.dataset.next); bind('n', 'Take the most urgent', () => nextReview(next.dataset.next)); }
  const list = $('table.work, table.leads');
  if (list) {
    const links = $$('tbody th a', list);
    const step = (by) => { const to = links[links.indexOf(document.activeElement) + by] || (by > 0 ? links[0] : links.at(-1)); to.focus(); };
    bind('j', 'Next line', () => step(1));
    bind('k', 'Previous line', () => step(-1));
  }
  const bar = $('#claim');
  if (bar && 'live' in bar.dataset) hold(bar);
});

const hold = (bar) => {
  const id = bar.dataset.review;
  const holder = $('#holder', bar);
  const clock = (at) => new Date(at).toLocaleTimeString([], { hour: 'numeric', minute: '2-digit' });
  // Who does not have it decides nothing: the buttons say why, and what to do.
  let whyNot = '';
  const locked = (why) => {
    whyNot = why;
    for (const button of $$('[data-decide], [data-open=reject]', bar)) {
      if (why) button.setAttribute('aria-disabled', 'true'); else button.removeAttribute('aria-disabled');
      button.title = why;
    }
  };
  const mine = (review) => { held = id; locked(''); bar.dataset.version = review.version; bar.classList.add('mine'); holder.textContent = `You have it until ${clock(review.claim.until)}.`; $('#takeover').hidden = true; };
  const theirs = (trouble) => {
    bar.classList.remove('mine');
    if (held === id) held = null;
    holder.textContent = trouble.message;
    const taken = trouble.code === 'review_claimed';
    locked(taken ? `${trouble.message}. Take it over to decide it yourself.` : '');
    if (taken && $('#reject')) $('#reject').hidden = true;
    $('#takeover').hidden = !taken;
  };
  const ask1 = async (verb, body) => {
    try { const { json } = await call('POST', `/api/v1/reviews/${id}/${verb}`, body); mine(json.review); return true; } catch (trouble) { if (!(trouble instanceof Trouble)) throw trouble; if (trouble.status) theirs(trouble); return false; }
  };
  ask1('claim', {});
  const beat = setInterval(() => { if (!document.contains(bar)) { clearInterval(beat); return; } if (!document.hidden && Date.now() - touched < handsOff) ask1('claim', {}); }, 45000);
  const decide = async (body) => {
    try {
      await call('POST', `/api/v1/reviews/${id}/decide`, { ...body, version: Number(bar.dataset.version) });
      held = null;
      sessionStorage.setItem('told', 'Decided.');
      await nextReview();
    } catch (trouble) {
      if (!(trouble instanceof Trouble)) throw trouble;
      if (trouble.code === 'review_claimed') theirs(trouble);
      toast(trouble.message, true, trouble.code === 'review_moved' ? { label: 'Reload', run: () => show() } : null);
    }
  };
  const open = (name) => { for (const form of $$('form', bar)) if (form.id !== 'takeover') form.hidden = form.id !== name; const field = name && $(`#${name} input, #${name} select`); if (field) field.focus(); };
  for (const button of $$('[data-letter]', bar)) {
    const run = () => { if (whyNot && button.getAttribute('aria-disabled')) toast(whyNot, true); else if (button.dataset.decide) decide({ decision: button.dataset.decide }); else if (button.dataset.open) open(button.dataset.open); else { letGo(); nextReview(); } };
    button.onclick = run;
    bind(button.dataset.letter, button.firstChild.textContent.trim(), run);
  }
  for (const close of $$('[data-close]', bar)) close.onclick = () => open('');
  const reject = $('#reject');
  if (reject) reject.elements.reasonCode.addEventListener('keydown', (event) => { if (event.key === 'Enter') { event.preventDefault(); reject.requestSubmit(); } });
  if (reject) reject.onsubmit = (event) => { event.preventDefault(); event.stopPropagation(); decide({ decision: 'reject', reasonCode: reject.elements.reasonCode.value, ...(reject.elements.note.value ? { note: reject.elements.note.value } : {}) }); };
  $('#takeover').onsubmit = (event) => { event.preventDefault(); event.stopPropagation(); ask1('claim', { takeOver: true, note: $('#takeover').elements.note.value }); };
};
