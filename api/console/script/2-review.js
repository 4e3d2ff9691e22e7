// The review of a document: pages as pictures, facts beside them. A fact lights its box, a box selects its fact.
parts.push(() => { const desk = $('#desk'); if (desk) review(desk); });

const places = new Map(); // where a person was in a document, when its page is shown anew
const review = (desk) => {
  if ('waiting' in desk.dataset) { setTimeout(() => { if (document.contains(desk)) show(); }, 2000); return; }
  const id = desk.dataset.document;
  const sheets = $('#sheets');
  if (!sheets) return;
  const count = Number(desk.dataset.pages);
  const sizes = new Map(JSON.parse(desk.dataset.sizes).map((size) => [size.page, size]));
  const sizeOf = (page) => sizes.get(page) || { width: 612, height: 792, unit: 'pt' };
  const store = `review:${id}`;
  const place = places.get(id);
  let zoom = place ? place.zoom : 1, turn = place ? place.turn : 0, selected = null;

  // Pages. A picture is asked for when its page comes near, and let go when it is far away: a long report stays small.
  const leaves = [];
  for (let page = 1; page <= count; page++) {
    const leaf = make('div', { className: 'leaf' }, make('span', { className: 'wait', textContent: `Page ${page}` }));
    const holder = make('div', { className: 'sheet-page', dataset: { page: String(page) } }, leaf);
    sheets.append(holder);
    leaves.push({ page, leaf, holder, sheet: null, shown: 0, stop: null });
  }
  const at = (page) => leaves[page - 1];
  const picture = (page, width) => `${base}/api/v1/documents/${id}/pages/${page}?width=${width}`;
  const fitWidth = () => Math.max(200, sheets.clientWidth - 34);
  const lay = () => {
    for (const one of leaves) {
      const size = sizeOf(one.page);
      // A sheet of cells is as wide as it has columns; its picture says how high it is.
      const ratio = one.sheet && size.unit === 'cell' ? one.sheet.height / one.sheet.width : size.unit === 'cell' ? 0.6 : size.height / size.width;
      const width = fitWidth() * zoom * (turn % 180 ? 1 / Math.max(ratio, 1) : 1);
      const height = width * ratio;
      const set = (name, value) => one.holder.style.setProperty(name, `${value}px`);
      set('--lw', width); set('--lh', height); set('--w', turn % 180 ? height : width); set('--h', turn % 180 ? width : height);
      one.holder.style.setProperty('--r', `${turn}deg`);
    }
    $('#zoom').textContent = `${Math.round(zoom * 100)}%`;
  };
  // wanted is how many points wide a page is on this screen: more are not kept.
  const wanted = () => Math.min(2400, Math.ceil(fitWidth() * zoom * (devicePixelRatio || 1)));
  // A picture is drawn on a canvas: what it takes in memory is given back when its page is let go. Browsers keep what
  // they decode of an <img>, hundreds of megabytes of a long report.
  const draw = async (one) => {
    const width = wanted();
    if (one.shown >= width) return;
    one.shown = width;
    const stop = one.stop = new AbortController();
    const gone = () => stop.signal.aborted || one.stop !== stop || !document.contains(desk);
    const tell = (...words) => { const wait = $('.wait', one.leaf); if (wait) wait.replaceChildren(...words); };
    const late = setTimeout(() => tell('The page is being drawn…'), 1000);
    for (let tries = 1; tries <= 8; tries++) {
      const answer = await fetch(picture(one.page, width > 1200 ? 2400 : 1200), { credentials: 'same-origin', signal: stop.signal }).catch(() => null);
      const bitmap = answer && answer.ok ? await answer.blob().then(createImageBitmap).catch(() => null) : null;
      clearTimeout(late);
      if (gone()) { if (bitmap) bitmap.close(); return; }
      if (bitmap) { place1(one, bitmap, width); return; }
      if (answer && answer.status === 401) { tell('Your session has ended. Sign in again in another window.'); return; }
      if (answer && answer.status >= 400 && answer.status < 500 && answer.status !== 429) break;
      tell('The page is being drawn…');
      await new Promise((go) => { setTimeout(go, 700 * tries); });
      if (gone()) return;
    }
    tell('This page cannot be shown.', make('button', { type: 'button', textContent: 'Try again', onclick: () => { one.shown = 0; tell(`Page ${one.page}`); draw(one); } }));
  };
  const place1 = (one, bitmap, width) => {
    const less = Math.min(1, width / bitmap.width);
    const sheet = make('canvas', { width: Math.round(bitmap.width * less), height: Math.round(bitmap.height * less), role: 'img', ariaLabel: `Page ${one.page}` });
    const pen = sheet.getContext('2d');
    pen.imageSmoothingQuality = 'high';
    pen.drawImage(bitmap, 0, 0, sheet.width, sheet.height);
    bitmap.close();
    clear(one);
    one.sheet = sheet;
    one.leaf.prepend(sheet);
    if (sizeOf(one.page).unit === 'cell') lay();
    boxes(one);
  };
  const clear = (one) => {
    if (one.sheet) { one.sheet.width = one.sheet.height = 0; one.sheet.remove(); one.sheet = null; }
    const wait = $('.wait', one.leaf);
    if (wait) wait.remove();
  };
  const drop = (one) => {
    if (one.stop) one.stop.abort();
    if (!one.sheet && !one.shown) return;
    clear(one);
    one.shown = 0;
    one.leaf.prepend(make('span', { className: 'wait', textContent: `Page ${one.page}` }));
  };
  const near = new IntersectionObserver((entries) => {
    for (const e of entries) { const one = at(Number(e.target.dataset.page)); if (e.isIntersecting) { one.near = true; draw(one); } else { one.near = false; drop(one); } }
  }, { root: sheets, rootMargin: '50% 0px' });
  lay();
  for (const one of leaves) near.observe(one.holder);

  const current = () => {
    const middle = sheets.scrollTop + sheets.clientHeight / 3;
    let page = 1;
    for (const one of leaves) if (one.holder.offsetTop - sheets.offsetTop <= middle) page = one.page;
    return page;
  };
  const go = (page) => { const one = at(Math.min(count, Math.max(1, page))); sheets.scrollTop = one.holder.offsetTop - sheets.offsetTop - 8; };
  sheets.addEventListener('scroll', () => {
    const page = current();
    $('#place').textContent = `${page} / ${count}`;
    for (const thumb of $$('#thumbs button')) { if (Number(thumb.dataset.page) === page) thumb.setAttribute('aria-current', 'true'); else thumb.removeAttribute('aria-current'); }
  });
  // Zoom and turning keep what is in the middle in the middle.
  const keeping = (change) => {
    const page = current();
    const one = at(page);
    const y = (sheets.scrollTop + sheets.clientHeight / 2 - (one.holder.offsetTop - sheets.offsetTop)) / one.holder.offsetHeight;
    const x = (sheets.scrollLeft + sheets.clientWidth / 2) / sheets.scrollWidth;
    change();
    lay();
    sheets.scrollTop = one.holder.offsetTop - sheets.offsetTop + y * one.holder.offsetHeight - sheets.clientHeight / 2;
    sheets.scrollLeft = x * sheets.scrollWidth - sheets.clientWidth / 2;
    for (const leaf of leaves) if (leaf.near) draw(leaf);
  };

  const thumbs = $('#thumbs');
  if (thumbs) {
    const lazy = new IntersectionObserver((entries) => { for (const e of entries) { if (!e.isIntersecting) e.target.removeAttribute('src'); else if (!e.target.src) e.target.src = e.target.dataset.src; } }, { root: thumbs, rootMargin: '50% 0px' });
    for (let page = 1; page <= count; page++) {
      const img = make('img', { alt: '', dataset: { src: picture(page, 200) } });
      img.addEventListener('error', () => setTimeout(() => { img.src = `${img.dataset.src}`; }, 1500), { once: true });
      thumbs.append(make('button', { type: 'button', ariaLabel: `Page ${page}`, dataset: { page: String(page) }, onclick: () => go(page) }, img, make('span', { textContent: page })));
      lazy.observe(img);
    }
    thumbs.firstElementChild.setAttribute('aria-current', 'true');
  }

  // Boxes are fractions of the page. Those of cells are found through the page's words.
  const words = new Map();
  const wordsOf = async (page) => {
    if (!words.has(page)) words.set(page, call('GET', `/api/v1/documents/${id}/pages/${page}/words`).then(({ json }) => json.words, () => []));
    return words.get(page);
  };
  const fractions = (page, box) => { const size = sizeOf(page); return [box[0] / size.width, box[1] / size.height, box[2] / size.width, box[3] / size.height]; };
  const rectOf = async (page, text) => {
    if (!text) return null;
    const numbers = text.split(',').map(Number);
    if (numbers.length === 4 && numbers.every((n) => Number.isFinite(n))) return fractions(page, numbers);
    const word = (await wordsOf(page)).find((w) => w.box === text);
    return (word && word.rect) || null;
  };
  const lay1 = (node, rect) => {
    const px = (n) => `${(n * 100).toFixed(3)}%`;
    Object.assign(node.style, { left: px(rect[0]), top: px(rect[1]), width: px(rect[2] - rect[0]), height: px(rect[3] - rect[1]) });
    return node;
  };
  const rows = $$('.facts .f', desk);
  // A fact is a row, or a cell of a row of many.
  const lineOf = (row) => row.closest('tr');
  const cellOf = (row) => (row.matches('td') ? row : $('td', row));
  const label = (row) => row.dataset.l || $('th', row).textContent;
  // What the page does not print is folded away, until somebody wants to fill it in.
  for (const part of $$('.part', desk)) {
    const missing = $$('tr.f[data-k=none]:not(.draft, .applied, .confirmed, .conflict)', part).length;
    if (missing < 3) continue;
    part.classList.add('few');
    part.append(make('p', { className: 'pad folded' }, make('button', { type: 'button', className: 'plain', textContent: `${missing} facts that are not printed`, onclick: () => unfold(part) })));
  }
  const unfold = (part) => { part.classList.remove('few'); const line = $('.folded', part); if (line) line.remove(); };
  const rowsOn = (page) => rows.filter((row) => Number(row.dataset.g) === page && row.dataset.b);
  const boxes = async (one) => {
    if (one.boxed) return;
    one.boxed = true;
    for (const row of rowsOn(one.page)) {
      const rect = await rectOf(one.page, row.dataset.b);
      if (!rect) continue;
      // The fact itself is what keys and screen readers reach; its box is for the mouse.
      const box = make('div', { className: `b${row.classList.contains('doubt') ? ' doubt' : ''}${row.classList.contains('model') ? ' model' : ''}`, ariaHidden: 'true', title: `${label(row)}: ${cellOf(row).textContent}`, onclick: () => select(row, false) });
      box.row = row;
      one.leaf.append(lay1(box, rect));
    }
    if (selected) light();
  };

  const lit = [];
  const light = async () => {
    for (const node of lit.splice(0)) { if (node.row) node.classList.remove('lit'); else node.remove(); }
    if (!selected) return;
    for (const { page, box, row } of [selected, ...(selected.operands || [])]) {
      if (!page || !box) continue;
      const one = at(page);
      const known = row && $$('.b', one.leaf).find((b) => b.row === row);
      if (known) { known.classList.add('lit'); lit.push(known); continue; }
      const rect = await rectOf(page, box);
      if (rect) { const mark = lay1(make('div', { className: 'b lit' }), rect); one.leaf.append(mark); lit.push(mark); }
    }
  };
  const reveal = async (page, box) => { if (page) reveal1(page, (await rectOf(page, box)) || [0, 0, 1, 0.1]); };
  const reveal1 = (page, rect) => {
    const one = at(page);
    const top = one.holder.offsetTop - sheets.offsetTop + rect[1] * one.holder.offsetHeight;
    if (top < sheets.scrollTop + 40 || top > sheets.scrollTop + sheets.clientHeight - 120) sheets.scrollTop = Math.max(0, top - sheets.clientHeight / 3);
    const left = rect[0] * one.holder.offsetWidth + one.holder.offsetLeft - sheets.offsetLeft;
    if (left < sheets.scrollLeft || left > sheets.scrollLeft + sheets.clientWidth - 80) sheets.scrollLeft = Math.max(0, left - 80);
  };
  const partOf = (row) => Number(row.closest('.part').dataset.part);
  const byPointer = new Map(rows.map((row) => [`${partOf(row)} ${row.dataset.p}`, row]));
  const factAt = (part, pointer) => byPointer.get(`${part} ${pointer}`);
  // What a derived figure was made of: facts, and words that only the page has.
  const madeOf = (row) => JSON.parse(row.dataset.o || '[]').flatMap(({ p, w, l, f, i }) => (i ? i.map((n) => ({ p: `${l}/${n}/${f}` })) : [{ p, w }]))
    .map(({ p, w }) => ({ row: p ? factAt(partOf(row), p) : null, words: w }));
  const select = (row, scroll = true) => {
    if (row.dataset.k === 'none') unfold(row.closest('.part'));
    for (const old of $$('.facts .on', desk)) old.classList.remove('on');
    $$('.facts .more', desk).forEach((more) => more.remove());
    row.classList.add('on');
    for (const other of rows) other.tabIndex = other === row ? 0 : -1;
    const all = madeOf(row), operands = all.filter((o) => o.row || o.words);
    const printed = operands.filter((o) => o.row && o.row.dataset.b).map((o) => ({ row: o.row, page: Number(o.row.dataset.g), box: o.row.dataset.b }));
    selected = { row, page: Number(row.dataset.g) || 0, box: row.dataset.b, operands: printed };
    light();
    if (scroll) reveal(selected.page || (printed[0] && printed[0].page), selected.box || (printed[0] && printed[0].box));
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest' });
    lineOf(row).after(explain(row, operands, all.length - operands.length));
    lineOf(row).nextElementSibling.scrollIntoView({ block: 'nearest' });
  };
  // The line of the page that a fact stands in, as it is printed.
  const sentenceOf = async (row) => {
    const page = Number(row.dataset.g);
    const rect = await rectOf(page, row.dataset.b);
    if (!rect) return '';
    const placed = (await wordsOf(page)).map((w) => ({ text: w.text, r: w.rect || fractions(page, w.box) }));
    const on = placed.filter(({ r }) => { const middle = (r[1] + r[3]) / 2; return middle > rect[1] && middle < rect[3]; });
    return on.sort((a, b) => a.r[0] - b.r[0]).map((w) => w.text).join(' ');
  };
  const explain = (row, operands, elsewhere) => {
    const cell = make('td', { colSpan: lineOf(row).cells.length });
    if (row.matches('td')) cell.append(make('p', {}, make('strong', { textContent: label(row) })));
    const say = (text) => cell.append(make('p', { className: 'soft', textContent: text }));
    if (row.dataset.t) say(`Printed: “${row.dataset.t}”, page ${row.dataset.g}`);
    if (row.classList.contains('model')) {
      const node = make('p', { className: 'sentence', textContent: 'A language model read it here.' });
      cell.append(node);
      sentenceOf(row).then((words) => { if (words) node.textContent = `A language model read it in: “${words}”`; });
    }
    if (row.dataset.d) say(`Derived: ${row.dataset.d}`);
    const shown = operands.slice(0, 40);
    if (shown.length) cell.append(make('p', { className: 'cites' }, ...shown.map((o) => make('button', { type: 'button', className: 'operand', textContent: o.row ? `${label(o.row)} ${cellOf(o.row).textContent}` : o.words, onclick: () => (o.row ? select(o.row) : look(o.words)) }))));
    if (operands.length > shown.length) say(`and ${operands.length - shown.length} more, lit on the pages`);
    if (elsewhere) say(`and ${elsewhere} among the facts before or behind these`);
    if (row.dataset.by) say(`${row.dataset.by} corrected it; the engine read “${row.dataset.m || 'nothing'}”`);
    if ('edit' in desk.dataset) {
      const acts = make('div', { className: 'row' }, make('button', { type: 'button', textContent: 'Edit', onclick: () => edit(row) }), make('button', { type: 'button', textContent: 'Draw a box', onclick: () => draw1(row) }));
      if (draftOf(row)) acts.append(make('button', { type: 'button', className: 'plain', textContent: 'Undo', onclick: () => withdraw(row) }));
      else if (row.dataset.by) acts.append(make('button', { type: 'button', className: 'plain', textContent: 'Take the correction back', onclick: () => correct(row, undefined) }));
      cell.append(acts);
    }
    return make('tr', { className: 'more' }, cell);
  };
  for (const row of rows) { row.tabIndex = -1; row.addEventListener('click', () => select(row)); row.addEventListener('dblclick', () => edit(row)); }
  if (rows[0]) rows[0].tabIndex = 0;
  for (const cite of $$('.cite', desk)) cite.addEventListener('click', () => {
    const row = rows.find((r) => partOf(r) === Number(cite.dataset.part) && r.dataset.p === cite.dataset.p);
    if (row) { select(row); return; }
    selected = { page: Number(cite.dataset.g), box: cite.dataset.b };
    light(); reveal(selected.page, selected.box);
  });

  // Corrections. The whole set is sent; until then a change is a draft in this browser, and its effects are asked for.
  const standing = JSON.parse(desk.dataset.standing);
  let drafts1 = JSON.parse(localStorage.getItem(store) || '[]');
  const draftOf = (row) => drafts1.find((d) => d.part === partOf(row) && d.pointer === row.dataset.p);
  const keep = () => { if (drafts1.length) localStorage.setItem(store, JSON.stringify(drafts1)); else localStorage.removeItem(store); };
  const wholeSet = () => {
    const same = (a, b) => a.part === b.part && a.pointer === b.pointer;
    return [...standing.filter((s) => !drafts1.some((d) => same(d, s))), ...drafts1.filter((d) => !d.gone).map(({ gone, ...d }) => d)];
  };
  const valueFor = (kind, text) => {
    const t = text.trim();
    if (t === '') return null;
    if (kind === 'bool') return /^(yes|true|y|1)$/i.test(t);
    if (kind === 'number') return Number(t.replace(/,/g, ''));
    if (kind === 'amount') { const negative = /^\(.*\)$|^[-−]/.test(t); const digits = t.replace(/[^0-9.]/g, ''); return (negative ? '-' : '') + digits; }
    if (kind === 'date') { const day = new Date(`${t} UTC`); if (!/^\d{4}-\d\d-\d\d$/.test(t) && !Number.isNaN(day.getTime())) return day.toISOString().slice(0, 10); }
    return t;
  };
  const correct = (row, value, extra = {}) => {
    drafts1 = drafts1.filter((d) => !(d.part === partOf(row) && d.pointer === row.dataset.p));
    drafts1.push({ part: partOf(row), pointer: row.dataset.p, ...(value === undefined ? { gone: true } : { value }), ...extra });
    keep(); paint(); effects(); select(row);
  };
  const withdraw = (row) => { drafts1 = drafts1.filter((d) => d !== draftOf(row)); keep(); paint(); effects(); select(row); };
  const before = new Map(rows.map((row) => [row, cellOf(row).textContent]));
  const spaced = (amount) => String(amount).replace('-', '−').replace(/^[^.]*/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));
  const paint = () => {
    for (const row of rows) {
      const draft = draftOf(row);
      row.classList.toggle('draft', Boolean(draft));
      const shown = draft ? (draft.gone ? row.dataset.m || '' : draft.value === null ? 'not printed' : draft.value === true ? 'Yes' : draft.value === false ? 'No' : row.dataset.k === 'amount' ? spaced(draft.value) : String(draft.value)) : before.get(row);
      if (cellOf(row).textContent !== shown) cellOf(row).textContent = shown;
    }
  };
  let asked = 0;
  const effects = async () => {
    const panel = $('#pending');
    if (!drafts1.length) { panel.hidden = true; panel.replaceChildren(); return; }
    const mine = ++asked;
    panel.hidden = false;
    const list = make('ul', {}, make('li', { className: 'soft', textContent: 'What follows from it is being worked out…' }));
    const save = make('button', { type: 'button', className: 'primary', id: 'save', textContent: `Save ${drafts1.length === 1 ? 'the correction' : drafts1.length + ' corrections'}`, onclick: send });
    panel.replaceChildren(make('strong', { textContent: drafts1.length === 1 ? 'One correction, not saved' : `${drafts1.length} corrections, not saved` }), list,
      make('div', { className: 'row' }, save, make('button', { type: 'button', textContent: 'Undo', onclick: undo }), make('button', { type: 'button', className: 'plain', textContent: 'Discard all', onclick: () => { drafts1 = []; keep(); paint(); effects(); } })));
    const line = (text, tone) => make('li', { className: tone, textContent: text });
    try {
      const { json } = await call('PUT', `/api/v1/documents/${id}/corrections`, { corrections: wholeSet(), dryRun: true }, tagged());
      if (mine !== asked) return;
      const lines = [];
      const passed = (p) => (p === null || p === undefined ? 'unknown' : p ? 'passes' : 'fails');
      for (const c of json.effects.checks) lines.push(line(`${plainWords(c.name)}: ${passed(c.before)} → ${passed(c.after)}`, c.after === false ? 'trouble' : ''));
      for (const i of json.effects.items) lines.push(line(`${itemName(i)}: ${stateWords[i.before.status] || i.before.status} → ${stateWords[i.after.status] || i.after.status}${i.after.validationError ? `. ${i.after.validationError}` : ''}`));
      for (const s of json.effects.spreads) {
        lines.push(line('A spread that uses this document is made again'));
        for (const c of s.changes.slice(0, 6)) lines.push(line(`${plainWords(c.row)}, ${c.periodId.split('_')[1] || c.periodId}: ${c.before === null ? 'none' : spaced(c.before)} → ${c.after === null ? 'none' : spaced(c.after)}`, 'num'));
        if (s.changes.length > 6) lines.push(line(`and ${s.changes.length - 6} more`, 'soft'));
      }
      list.replaceChildren(...(lines.length ? lines : [line('No check, item or spread changes.', 'soft')]));
    } catch (trouble) {
      if (mine !== asked) return;
      if (!(trouble instanceof Trouble)) throw trouble;
      list.replaceChildren(line(trouble.status === 412 ? 'Somebody changed this document meanwhile. Reload it; your drafts stay.' : trouble.message, 'trouble'));
      if (trouble.status === 412) list.append(make('li', {}, make('button', { type: 'button', textContent: 'Reload', onclick: () => show() })));
    }
  };
  const itemName = ({ leadChecklistItemId, code }) => { const of = $(`[data-entry="${leadChecklistItemId}"] h2`, desk); return of ? of.firstChild.textContent.trim() : plainWords(code.toLowerCase()); };
  const tagged = () => (desk.dataset.tag ? { 'If-Match': desk.dataset.tag } : {});
  const undo = () => { const last = drafts1.pop(); keep(); paint(); effects(); if (last) toast('Undone.'); };
  const send = async () => {
    if (!drafts1.length) return;
    try {
      await call('PUT', `/api/v1/documents/${id}/corrections`, { corrections: wholeSet() }, tagged());
      drafts1 = []; keep();
      await show();
      toast('Saved. Checks, verdicts and spreads follow.');
    } catch (trouble) {
      if (!(trouble instanceof Trouble)) throw trouble;
      toast(trouble.message, true);
    }
  };
  const edit = (row, given) => {
    if (!('edit' in desk.dataset)) return;
    select(row);
    const more = lineOf(row).nextElementSibling;
    const draft = draftOf(row);
    const was = given ? given.text : draft && !draft.gone ? (draft.value === null ? '' : String(draft.value)) : row.dataset.k === 'none' ? '' : row.dataset.v || before.get(row).replace(/^✎ /, '');
    const kind = given && row.dataset.k === 'none' ? (/^[($−-]*\s*\$?[\d,]+\.\d\d\)?$/.test(given.text) ? 'amount' : 'text') : row.dataset.k;
    const input = make('input', { value: was, autocomplete: 'off', ariaLabel: label(row), id: 'value' });
    const reason = make('input', { autocomplete: 'off', ariaLabel: 'Why (optional)', placeholder: 'Why (optional)', maxLength: 500 });
    const form = make('form', { className: 'form' }, input, reason, make('div', { className: 'row' }, make('button', { type: 'submit', className: 'primary', textContent: 'Use it' }),
      make('button', { type: 'button', textContent: 'Not printed', onclick: () => correct(row, null, reasoned()) }), make('button', { type: 'button', className: 'plain', textContent: 'Cancel', onclick: () => select(row) })));
    const reasoned = () => ({ ...(reason.value ? { reason: reason.value } : {}), ...(given ? { page: given.page, box: given.box } : {}) });
    form.addEventListener('submit', (event) => { event.preventDefault(); correct(row, valueFor(kind, input.value), reasoned()); });
    form.addEventListener('keydown', (event) => { if (event.key === 'Escape') { event.stopPropagation(); select(row); } });
    more.firstElementChild.replaceChildren(form);
    input.focus(); input.select();
    more.scrollIntoView({ block: 'nearest' });
  };
  const pen = penOf({ desk, sheets, count, at, sizeOf, fractions, wordsOf, rectOf, lay1, reveal1, current, go, turned: () => turn, edit });
  const draw1 = async (row) => { if (turn) { toast('Turn the page upright first.', true); return; } select(row); pen.begin(row, selected.page || current(), selected.box); };
  const stopDrawing = pen.stop;

  // Find by words.
  const find = $('#find');
  let hits = [], hit = -1;
  const clearHits = () => { for (const h of hits) h.node.remove(); hits = []; hit = -1; $('#found').textContent = ''; };
  const seek = async (text) => {
    clearHits();
    const looked = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (!looked.length) return;
    for (let page = 1; page <= count && find.value === text; page++) {
      const list = await wordsOf(page);
      for (let i = 0; i + looked.length <= list.length; i++) {
        if (!looked.every((word, j) => list[i + j].text.toLowerCase().includes(word))) continue;
        looked.forEach((_, j) => {
          const rect = list[i + j].rect || fractions(page, list[i + j].box);
          const node = lay1(make('div', { className: 'b word' }), rect);
          at(page).leaf.append(node);
          hits.push({ node, page, rect, first: j === 0 });
        });
      }
      $('#found').textContent = `${hits.filter((h) => h.first).length} found`;
    }
    if (hits.length && hit < 0) next(1);
  };
  const next = (step) => {
    const firsts = hits.filter((h) => h.first);
    if (!firsts.length) return;
    hit = (hit + step + firsts.length) % firsts.length;
    hits.forEach((h) => h.node.classList.toggle('now', h === firsts[hit]));
    const { page, rect } = firsts[hit];
    sheets.scrollTop = at(page).holder.offsetTop - sheets.offsetTop + rect[1] * at(page).holder.offsetHeight - sheets.clientHeight / 3;
    $('#found').textContent = `${hit + 1} of ${firsts.length}`;
  };
  const look = (text) => { find.value = text; seek(text); };
  let later = 0;
  find.addEventListener('input', () => { clearTimeout(later); later = setTimeout(() => seek(find.value), 200); });
  find.addEventListener('keydown', (event) => { if (event.key === 'Enter') { event.preventDefault(); if (hits.length) next(event.shiftKey ? -1 : 1); else seek(find.value); } if (event.key === 'Escape') { find.value = ''; clearHits(); sheets.focus(); } });

  // Parts: pages that belong together, and what they are.
  const split = $('#parts');
  if (split) split.addEventListener('click', (event) => {
    const less = event.target.closest('[data-less]');
    if (less) { less.closest('li').remove(); $('[data-more]', split).focus(); }
    if (event.target.closest('[data-more]')) { const last = $('li:last-child', split); if (last) { const copy = last.cloneNode(true); $('ol', split).append(copy); $('[name=first]', copy).value = Math.min(Number($('[name=last]', last).value) + 1, count); $('[name=last]', copy).value = count; $('[name=first]', copy).focus(); } }
  });
  if (split) split.addEventListener('submit', async (event) => {
    event.preventDefault();
    const list = $$('.partline', split).map((li) => ({ pages: [Number($('[name=first]', li).value), Number($('[name=last]', li).value)], ...($('[name=docType]', li).value ? { docType: $('[name=docType]', li).value } : {}) }));
    try { await call('PUT', `/api/v1/documents/${id}/parts`, { parts: list }); await show(); toast('It is read again in these parts.'); } catch (trouble) { if (!(trouble instanceof Trouble)) throw trouble; refuse(split, trouble); }
  });

  const step = (by, open) => {
    const list = rows.filter((r) => (open ? r.matches('.doubt, .conflict, [data-k=none]') : r.offsetParent));
    if (!list.length) { toast('Nothing is open here.'); return; }
    const place = selected && selected.row ? rows.indexOf(selected.row) : by > 0 ? -1 : rows.length;
    const row = by > 0 ? list.find((r) => rows.indexOf(r) > place) || list[0] : list.findLast((r) => rows.indexOf(r) < place) || list.at(-1);
    select(row);
  };
  bind('j', 'Next fact', () => step(1));
  // In a table the arrows go where they point.
  const across = (columns, lines) => {
    const cell = selected && selected.row && selected.row.matches('td') ? selected.row : null;
    if (!cell) { if (lines) step(lines); return; }
    const all = [...lineOf(cell).parentNode.rows].filter((line) => !line.matches('.more'));
    const line = all[all.indexOf(lineOf(cell)) + lines];
    const to = line && line.cells[cell.cellIndex + columns];
    if (to && to.matches('.f')) select(to); else if (lines && !line) step(lines);
  };
  bind('ArrowDown', 'Next fact, or the cell below', () => across(0, 1));
  bind('k', 'Fact before', () => step(-1));
  bind('ArrowUp', 'Fact before, or the cell above', () => across(0, -1));
  bind('ArrowLeft', 'Cell before', () => across(-1, 0));
  bind('ArrowRight', 'Next cell', () => across(1, 0));
  bind('n', 'Next doubtful or missing fact', () => step(1, true));
  bind('e', 'Edit the fact', () => selected && selected.row && edit(selected.row));
  bind('Enter', 'Edit the fact', () => selected && selected.row && edit(selected.row));
  bind('d', 'Draw a box for the fact, by mouse or with the arrows', () => selected && selected.row && draw1(selected.row));
  bind('u', 'Undo the last change that is not saved', undo);
  bind('s', 'Save the corrections', send);
  bind('z', 'Zoom to the box', () => { if (selected && selected.page) { keeping(() => { zoom = Math.max(zoom, 2); }); reveal(selected.page, selected.box); } });
  bind('+', 'Zoom in', () => keeping(() => { zoom = Math.min(5, zoom * 1.25); }));
  bind('-', 'Zoom out', () => keeping(() => { zoom = Math.max(0.25, zoom / 1.25); }));
  bind('0', 'Fit the width', () => keeping(() => { zoom = 1; }));
  bind('o', 'Rotate', () => keeping(() => { turn = (turn + 90) % 360; }));
  bind('b', 'Hide or show the boxes', () => { const off = desk.classList.toggle('noboxes'); $('#boxes').setAttribute('aria-pressed', String(!off)); });
  bind('[', 'Previous page', () => go(current() - 1));
  bind(']', 'Next page', () => go(current() + 1));
  bind('f', 'Find in the document', () => find.focus());
  const settled = $$('.settled', desk);
  if (settled.length) bind('v', 'Open or fold the checks that passed', () => { const open = !settled[0].open; for (const one of settled) one.open = open; });
  bind('Escape', 'Leave what was begun', stopDrawing);
  if (split) bind('p', 'Split, join or retype its parts', () => { $('#split').open = true; const field = $('input', split); field.focus(); field.select(); });
  // What is flagged is the fact that is chosen, unless the person says something else.
  const flag = $('#flag textarea');
  if (flag) $('#flag').addEventListener('toggle', () => { if (!flag.value && selected && selected.row) flag.value = `${label(selected.row)}: `; });
  for (const button of $$('[data-run]', desk)) button.addEventListener('click', () => keys.get(button.dataset.run).run());
  new ResizeObserver(() => { if (!document.contains(desk)) return; lay(); for (const one of leaves) if (one.near) draw(one); }).observe(sheets);
  paint();
  effects();
  const panel = $('#panel');
  beforeShow = () => places.set(id, { zoom, turn, top: sheets.scrollTop, left: sheets.scrollLeft, panel: panel.scrollTop,
    boxes: !desk.classList.contains('noboxes'), fact: selected && selected.row ? [partOf(selected.row), selected.row.dataset.p] : null });
  if (place) {
    const row = place.fact && rows.find((r) => partOf(r) === place.fact[0] && r.dataset.p === place.fact[1]);
    if (row) select(row, false);
    if (!place.boxes) keys.get('b').run();
    sheets.scrollTop = place.top; sheets.scrollLeft = place.left; panel.scrollTop = place.panel;
    return;
  }
  const wantedFact = desk.dataset.pointer || new URLSearchParams(location.search).get('pointer');
  const first = rows.find((r) => r.dataset.p === wantedFact);
  if (first) select(first);
};
