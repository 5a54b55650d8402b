// Looks at every painted frame of a page of cards and notes what must never happen.
() => {
  const seen = { frames: 0, drawn: 0, problems: [], empty: [], mixed: [], states: [], worlds: '' };
  const texts = (root, selector) =>
    [...root.querySelectorAll(selector)].map((element) => element.textContent.trim());
  const all = (selector) => [...document.querySelectorAll(selector)];
  const world = (root, selector) => [...new Set(texts(root, selector).map((text) => text[0]))];
  const watch = () => {
    seen.frames++;
    seen.drawn = 0;
    for (const chart of all('[data-testid^="chart-"]')) {
      seen.drawn += Number(chart.dataset.updates);
      if (chart.dataset.points === '0') seen.empty.push(chart.dataset.testid);
    }
    for (const tile of all('[data-testid="tile-value"]')) {
      if (tile.textContent.trim() === '') seen.empty.push('a tile');
    }
    seen.problems.push(...texts(document, '[data-testid="card-problem"]').filter(Boolean));
    for (const { dataset } of all('[data-testid="grid-state"]')) {
      if (dataset.state !== 'live') seen.states.push(dataset.state);
    }
    const grid = document.querySelector('[data-testid="gold-latest"]');
    const found = world(grid, '[data-testid="cell-symbol"]');
    if (found.length > 1) seen.mixed.push(found.join(' and '));
    const list = document.querySelector('[data-testid="top-by-px"]');
    const listed = world(list, '[data-testid="list-row"] td:first-child');
    if (listed.length > 1) seen.mixed.push(`a list: ${listed.join(' and ')}`);
    seen.worlds = [...new Set([...found, ...listed])].join();
    window.cardsFrame = requestAnimationFrame(watch);
  };
  window.recorded = seen;
  watch();
}
