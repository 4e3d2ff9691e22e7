// A value is read again from a box that is drawn on its page: the words in it are the value. Keys draw it around words:
// arrows go from word to word, with Shift the box grows, Enter takes it.
const penOf = ({ desk, sheets, count, at, sizeOf, fractions, wordsOf, rectOf, lay1, reveal1, current, go, turned, edit }) => {
  let row = null; // the fact that it is drawn for
  let pen = null; // the box as keys draw it: page, its words with their places, the first and the last that it holds
  let told = null;
  const placed = async (page) => (await wordsOf(page)).map((w) => ({ text: w.text, box: w.box, r: w.rect || fractions(page, w.box) }));
  const begin = async (of, page, box) => {
    row = of;
    desk.classList.add('drawing');
    told = toast('Draw a box around the value, or go to it with the arrows; Shift makes the box larger, Enter takes it, Escape leaves it.', false, null, true);
    await pick(page, box);
  };
  const stop = () => { row = null; desk.classList.remove('drawing'); if (told) told.remove(); if (pen) pen.mark.remove(); pen = null; };
  const pick = async (page, box) => {
    const words = await placed(page);
    if (!row) return;
    if (pen) pen.mark.remove();
    pen = null;
    if (!words.length) return;
    const near = await rectOf(page, box);
    const top = near ? near[1] : Math.max(0, (sheets.scrollTop - (at(page).holder.offsetTop - sheets.offsetTop)) / at(page).holder.offsetHeight);
    const far = (r) => Math.abs(r[1] - top) * 4 + Math.abs(r[0] - (near ? near[0] : 0));
    const first = words.reduce((best, w, i) => (far(w.r) < far(words[best].r) ? i : best), 0);
    pen = { page, words, from: first, to: first, mark: make('div', { className: 'b drawn' }) };
    at(page).leaf.append(pen.mark);
    ink();
  };
  const held = () => { const [i, j] = [Math.min(pen.from, pen.to), Math.max(pen.from, pen.to)]; return pen.words.slice(i, j + 1); };
  const round = (list) => [Math.min(...list.map((w) => w.r[0])), Math.min(...list.map((w) => w.r[1])), Math.max(...list.map((w) => w.r[2])), Math.max(...list.map((w) => w.r[3]))];
  const ink = () => {
    const r = round(held());
    lay1(pen.mark, r);
    reveal1(pen.page, r);
    if (told) $('span', told).textContent = `In the box: ${held().map((w) => w.text).join(' ') || 'no words'}`;
  };
  // below is the word that stands in the next line down or up, nearest to where one is.
  const below = (i, step) => {
    const { r } = pen.words[i];
    const middle = (r[1] + r[3]) / 2, high = r[3] - r[1];
    let best = i, least = Infinity;
    pen.words.forEach((w, j) => {
      const down = ((w.r[1] + w.r[3]) / 2 - middle) * step;
      if (down < high * 0.6) return;
      const far = down * 3 + Math.abs(w.r[0] - r[0]);
      if (far < least) { least = far; best = j; }
    });
    return best;
  };
  const moves = { ArrowRight: (i) => Math.min(i + 1, pen.words.length - 1), ArrowLeft: (i) => Math.max(i - 1, 0), ArrowDown: (i) => below(i, 1), ArrowUp: (i) => below(i, -1) };
  // drawKey does what a key does while a box is drawn, and says whether it did.
  const drawKey = (event) => {
    if (event.key === 'Escape') { stop(); return true; }
    if (event.key === '[' || event.key === ']') { const page = Math.min(count, Math.max(1, (pen ? pen.page : current()) + (event.key === ']' ? 1 : -1))); go(page); pick(page); return true; }
    if (!pen) return false;
    if (event.key === 'Enter') { take(pen.page, round(held()).map((n, i) => n + (i < 2 ? -0.001 : 0.001))); return true; }
    const move = moves[event.key];
    if (!move) return false;
    pen.to = move(pen.to);
    if (!event.shiftKey) pen.from = pen.to;
    ink();
    return true;
  };
  const drawKeys = (event) => {
    if (!document.contains(desk)) { removeEventListener('keydown', drawKeys, true); return; }
    if (!row || typing(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (drawKey(event)) { event.preventDefault(); event.stopPropagation(); }
  };
  addEventListener('keydown', drawKeys, true);
  // take makes the words in a box the value of the fact that it is drawn for.
  const take = async (page, r) => {
    const of = row;
    stop();
    const size = sizeOf(page);
    const inside = (await placed(page)).filter((w) => { const [x, y] = [(w.r[0] + w.r[2]) / 2, (w.r[1] + w.r[3]) / 2]; return x >= r[0] && x <= r[2] && y >= r[1] && y <= r[3]; });
    const box = size.unit === 'cell' ? (inside[0] && inside[0].box) || null : [r[0] * size.width, r[1] * size.height, r[2] * size.width, r[3] * size.height].map((n) => Math.round(n * 100) / 100);
    if (!inside.length) toast('No words stand in this box; type the value.', true);
    edit(of, { text: inside.map((w) => w.text).join(' '), page, box });
  };
  sheets.addEventListener('pointerdown', (event) => {
    const leaf = row && event.target.closest('.leaf');
    if (!leaf) return;
    if (turned()) { toast('Turn the page upright first.', true); return; }
    event.preventDefault();
    const page = Number(leaf.parentNode.dataset.page);
    const frame = leaf.getBoundingClientRect();
    const point = (e) => [Math.min(1, Math.max(0, (e.clientX - frame.left) / frame.width)), Math.min(1, Math.max(0, (e.clientY - frame.top) / frame.height))];
    const from = point(event);
    const mark = make('div', { className: 'b drawn' });
    leaf.append(mark);
    if (pen) { pen.mark.remove(); pen = null; }
    const rect = (e) => { const to = point(e); return [Math.min(from[0], to[0]), Math.min(from[1], to[1]), Math.max(from[0], to[0]), Math.max(from[1], to[1])]; };
    const move = (e) => lay1(mark, rect(e));
    const end = (e) => {
      removeEventListener('pointermove', move); removeEventListener('pointerup', end); removeEventListener('pointercancel', leave);
      const r = rect(e);
      mark.remove();
      if (row && r[2] - r[0] >= 0.003 && r[3] - r[1] >= 0.003) take(page, r);
    };
    const leave = () => { removeEventListener('pointermove', move); removeEventListener('pointerup', end); removeEventListener('pointercancel', leave); mark.remove(); };
    addEventListener('pointermove', move);
    addEventListener('pointerup', end);
    addEventListener('pointercancel', leave);
  });
  return { begin, stop };
};
