// The grid of a spread: a figure opens where it stands in the documents beside it, and is adjusted there.
parts.push(() => { const book = $('#book'); if (book) spread(book); });

const sizesOf = new Map();
const pageSizes = (document) => {
  if (!sizesOf.has(document)) sizesOf.set(document, call('GET', `/api/v1/documents/${document}`).then(({ json }) => ({ name: json.document.filename, pages: (json.document.extraction && json.document.extraction.pages) || [] }), () => ({ name: 'Document', pages: [] })));
  return sizesOf.get(document);
};

const spread = (book) => {
  if ('waiting' in book.dataset) { setTimeout(() => { if (document.contains(book)) show(); }, 1500); return; }
  const id = book.dataset.spread;
  const beside = $('#beside');
  const figures = $$('button.fig', book);
  if (!beside || !figures.length) return;
  const editable = 'edit' in book.dataset;
  const standing = JSON.parse(book.dataset.standing).map(({ actor, ...a }) => a);
  const mapped = JSON.parse(book.dataset.mapped).map(({ actor, ...m }) => m);
  let chosen = null;
  const where = (fig) => {
    const row = fig.closest('tr');
    const table = fig.closest('table');
    const column = [...row.children].indexOf(fig.parentNode);
    const head = table.tHead.rows[0].cells[column];
    return { row: row.dataset.row, label: $('th', row).textContent, statement: table.dataset.statement, periodId: head.dataset.period, period: $('span', head).textContent, kind: row.className };
  };
  const figureAt = ({ statement, row, periodId }) => {
    const table = $(`table.grid[data-statement="${statement}"]`, book);
    const line = table && $(`tr[data-row="${row}"]`, table);
    const column = table ? [...table.tHead.rows[0].cells].findIndex((cell) => cell.dataset.period === periodId) : -1;
    return line && column > 0 ? $('button.fig', line.cells[column]) : null;
  };
  let read = null; // the figures with their sources and formulas, when somebody asks for the first time
  const results = () => (read ??= call('GET', `/api/v1/spreads/${id}/results?include=sources,formulas,ratios,uca`).then(({ json }) => json.results));
  const valueIn = (all, { statement, row, periodId }) => {
    if (statement === 'ratios' || statement === 'uca') return (all[statement].find((p) => p.periodId === periodId) || { values: [] }).values.find((v) => v.key === row) || {};
    return (all.statements[statement].periods.find((p) => p.id === periodId) || { values: {} }).values[row] || {};
  };
  // A formula of the template in the words of the page.
  const inWords = (formula) => {
    const called = new Map($$('tr[data-row]', book).map((row) => [row.dataset.row, $('th', row).textContent]));
    const word = (name) => `${called.get(name.split('.').pop()) || plainWords(name.split('.').pop())}${name.includes('.prev.') ? ' before' : ''}`;
    // Of a sum only what has a row here is said: the other rows are empty.
    const terms = formula.split(/ (?=[+-] )/);
    const kept = terms.every((term) => /^([+-] )?[a-z][\w.]*$/i.test(term)) ? terms.filter((term) => called.has(term.split(/[ .]/).pop())) : [];
    return (kept.length ? kept.join(' ').replace(/^\+ /, '') : formula).replace(/delta\(([\w.]+)\)|([a-z][\w.]*)(\(\))?/gi, (_, change, name) => (change ? `change of ${word(change)}` : word(name))).replaceAll(' - ', ' − ').replace(/^-/, '−').replaceAll(' * ', ' × ').replaceAll(' / ', ' ÷ ');
  };
  // What a calculated figure is made of: each leads to its own cell, and says the page it stands on.
  const madeOf = (all, at, value) => (value.operands || []).map((operand) => {
    const of = valueIn(all, operand);
    const cell = figureAt(operand);
    const source = (of.sources || [])[0];
    const file = source && (all.documents || []).find((d) => d.documentId === source.documentId);
    const head = cell && where(cell);
    return make('li', {}, make('button', { type: 'button', className: 'operand', disabled: !cell, onclick: () => { cell.focus(); cell.scrollIntoView({ block: 'center', inline: 'nearest' }); choose(cell); } },
      make('span', { textContent: of.label || operand.row }), make('strong', { className: 'num', textContent: cell ? cell.textContent : String(of.value ?? '') }),
      make('span', { className: 'soft', textContent: [head && head.period !== at.period ? head.period : '', source && !of.computed ? `${file ? `${file.filename}, page` : 'Page'} ${source.page}` : ''].filter(Boolean).join(' · ') })));
  });

  const crop = async (source) => {
    const of = await pageSizes(source.documentId);
    const size = of.pages.find((p) => p.page === source.page);
    const link = make('a', { href: `${base}/console/documents/${source.documentId}`, textContent: `${of.name}, page ${source.page}` });
    const holder = make('div', { className: 'crop-of' }, make('p', {}, link), make('p', {}, make('span', { textContent: source.caption }), ' ', make('strong', { className: 'num', textContent: source.text })));
    if (source.confidence < 0.9) holder.append(make('p', { className: 'soft', textContent: `Read with ${Math.round(source.confidence * 100)}% confidence` }));
    const box = Array.isArray(source.box) ? source.box : null;
    if (!size || !source.page) return holder;
    const leaf = make('div', { className: 'leaf' }, make('img', { alt: `Page ${source.page} of ${of.name}`, src: `${base}/api/v1/documents/${source.documentId}/pages/${source.page}?width=1200` }));
    const frame = make('div', { className: 'crop', tabIndex: 0, ariaLabel: `Page ${source.page} of ${of.name}`, role: 'group' }, leaf);
    if (box && size.unit !== 'cell') {
      const r = [box[0] / size.width, box[1] / size.height, box[2] / size.width, box[3] / size.height];
      const px = (n) => `${(n * 100).toFixed(3)}%`;
      const mark = make('div', { className: 'b lit' });
      Object.assign(mark.style, { left: px(r[0]), top: px(r[1]), width: px(r[2] - r[0]), height: px(r[3] - r[1]) });
      leaf.append(mark);
      $('img', leaf).addEventListener('load', () => { frame.scrollTop = r[1] * leaf.offsetHeight - frame.clientHeight / 2; frame.scrollLeft = Math.max(0, r[2] * leaf.offsetWidth - frame.clientWidth + 40); });
    }
    $('img', leaf).addEventListener('error', () => frame.remove());
    holder.append(frame);
    return holder;
  };

  // On a phone the chosen figure lies over the statements, until it is put away.
  const unchosen = [...beside.childNodes];
  const putAway = () => {
    turn++;
    for (const old of $$('.fig.on, .fig.of', book)) old.classList.remove('on', 'of');
    beside.classList.remove('chosen');
    beside.replaceChildren(...unchosen);
    if (chosen) chosen.focus({ preventScroll: true });
    chosen = null;
  };
  let turn = 0;
  const choose = async (fig) => {
    for (const old of $$('.fig.on, .fig.of', book)) old.classList.remove('on', 'of');
    for (const other of figures) other.tabIndex = other === fig ? 0 : -1;
    fig.classList.add('on');
    chosen = fig;
    const mine = ++turn;
    const at = where(fig);
    const all = await results().catch((trouble) => { read = null; toast(trouble.message, true); return null; });
    if (mine !== turn || !all) return;
    const value = valueIn(all, at), sources = value.sources || [], operands = madeOf(all, at, value);
    for (const operand of value.operands || []) { const cell = figureAt(operand); if (cell) cell.classList.add('of'); }
    const lines = [make('div', { className: 'chosen-head' }, make('h2', { textContent: at.label }), make('button', { type: 'button', className: 'plain', textContent: 'Close', onclick: putAway })), make('p', { className: 'soft', textContent: at.period }), make('p', {}, make('strong', { className: 'num', textContent: fig.textContent }))];
    if (fig.dataset.printed) lines.push(make('p', { className: 'trouble', textContent: `The document prints ${fig.dataset.printed}.` }));
    if (fig.dataset.was) lines.push(make('p', { textContent: `${fig.dataset.by || 'A person'} changed it: ${fig.dataset.why}. The documents give ${fig.dataset.was}.` }));
    if (value.formula) lines.push(make('p', { className: 'soft', textContent: `Calculated: ${inWords(value.formula)}` }));
    if (operands.length) lines.push(make('ul', { className: 'operands', ariaLabel: 'Made of' }, ...operands));
    if (!sources.length && !operands.length) lines.push(make('p', { className: 'soft', textContent: 'No document prints it.' }));
    if (sources.length && operands.length) lines.push(make('h3', { textContent: 'Where these are printed' }));
    beside.classList.add('chosen');
    beside.replaceChildren(...lines);
    beside.scrollTop = 0;
    for (const source of sources.slice(0, 8)) { const node = await crop(source); if (mine !== turn) return; beside.append(node); }
    if (adjustable(fig)) beside.append(make('div', { className: 'row', id: 'adjusts' }, make('button', { type: 'button', textContent: 'Adjust', onclick: () => adjust(fig) })));
  };
  // Lines are adjusted; sums and ratios follow.
  const adjustable = (fig) => editable && fig.closest('tr').matches('.line') && !('scaled' in fig.closest('table').tHead.rows[0].cells[fig.parentNode.cellIndex].dataset);
  const put = async (what, body, form) => {
    try { await call('PUT', `/api/v1/spreads/${id}/${what}`, body); await show(); toast('Saved. The figures are being calculated again.'); } catch (trouble) { if (!(trouble instanceof Trouble)) throw trouble; if (form) refuse(form, trouble); else toast(trouble.message, true); }
  };
  const adjust = (fig) => {
    if (!editable) return;
    if (!adjustable(fig)) { toast('This figure follows from others: adjust those.'); return; }
    for (const old of $$('form, #adjusts', beside)) old.remove();
    const at = where(fig);
    const value = make('input', { name: 'value', value: fig.textContent.replace(/[^0-9.()−-]/g, '').replace(/^\((.*)\)$/, '-$1').replace('−', '-'), inputMode: 'decimal', required: true, id: 'adjust' });
    const rows = $$('tr.line', fig.closest('table')).filter((r) => r.dataset.row !== at.row);
    const move = make('select', { name: 'moveTo' }, make('option', { value: '', textContent: 'It stays in this row' }), ...rows.map((r) => make('option', { value: r.dataset.row, textContent: `Moves to ${$('th', r).textContent}` })));
    const reason = make('input', { name: 'reason', required: true, autocomplete: 'off' });
    const form = make('form', { className: 'form' }, make('label', {}, 'Figure, or the amount that moves', value), make('label', {}, 'Row', move), make('label', {}, 'Why', reason), make('button', { type: 'submit', className: 'primary', textContent: 'Adjust' }));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const one = { statement: at.statement, row: at.row, periodId: at.periodId, value: Number(value.value), ...(move.value ? { moveTo: move.value } : {}), reason: reason.value };
      const rest = standing.filter((a) => !(a.row === one.row && a.periodId === one.periodId && a.statement === one.statement)).map((a) => Object.fromEntries(Object.entries(a).filter(([, v]) => v !== null)));
      put('adjustments', { adjustments: [...rest, one] }, form);
    });
    form.addEventListener('keydown', (event) => { if (event.key === 'Escape') { event.stopPropagation(); choose(fig); fig.focus(); } });
    beside.append(form);
    value.focus(); value.select();
  };
  figures.forEach((fig, i) => { fig.tabIndex = i === 0 ? 0 : -1; fig.addEventListener('click', () => choose(fig)); fig.addEventListener('dblclick', () => adjust(fig)); });
  book.addEventListener('keydown', (event) => {
    const fig = event.target.closest && event.target.closest('button.fig');
    if (!fig) return;
    const cell = fig.parentNode;
    const rows = $$('tbody tr', book);
    const place = rows.indexOf(cell.parentNode);
    const column = [...cell.parentNode.children].indexOf(cell);
    const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
    if (!step) return;
    event.preventDefault();
    for (let n = 1; n < 200; n++) {
      const row = rows[place + step[0] * n];
      const next = row && row.children[column + step[1] * n] && $('button.fig', row.children[column + step[1] * n]);
      if (!row || (step[1] && !row.children[column + step[1] * n])) return;
      if (next) { next.focus(); choose(next); return; }
    }
  });
  for (const button of $$('[data-undo]', book)) button.addEventListener('click', () => put('adjustments', { adjustments: standing.filter((_, i) => i !== Number(button.dataset.undo)).map((a) => Object.fromEntries(Object.entries(a).filter(([, v]) => v !== null))) }));
  for (const form of $$('form.map', book)) form.addEventListener('submit', (event) => {
    event.preventDefault();
    const row = $('select', form).value;
    if (!row) { toast('Choose a row first.'); return; }
    const one = { statement: form.dataset.statement, caption: form.dataset.caption, row };
    put('caption-mappings', { captionMappings: [...mapped.filter((m) => m.caption !== one.caption || m.statement !== one.statement), one] }, form);
  });
  bind('e', 'Adjust the figure', () => chosen && adjust(chosen));
  bind('Escape', 'Put the figure away', () => chosen && putAway());
  bind('o', 'Go to what the figure is calculated from', () => { const first = $('.operand:enabled', beside); if (first) first.focus(); });
};
