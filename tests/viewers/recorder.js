// Looks at every painted frame of some grids and notes what must never happen.
(grids) => {
  const seen = { frames: 0, mixed: [], apart: [], empty: [], moved: [], states: [], worlds: {} };
  const tops = {};
  const watch = () => {
    seen.frames++;
    const shown = new Set();
    for (const { panel, cell } of grids) {
      const root = document.querySelector(`[data-testid="panel-${panel}"]`);
      const cells = [...root.querySelectorAll(`[data-testid="cell-${cell}"]`)];
      const worlds = new Set(cells.map((c) => c.textContent.trim()[0]));
      if (worlds.size > 1) seen.mixed.push(`${panel}: ${[...worlds].join(' and ')}`);
      if (cells.length === 0) seen.empty.push(panel);
      worlds.forEach((world) => shown.add(world));
      seen.worlds[panel] = [...worlds].join();
      const top = root.querySelector('[data-testid="grid"]').scrollTop;
      if (top !== (tops[panel] ??= top)) seen.moved.push(`${panel}: ${tops[panel]} to ${top}`);
      const state = root.querySelector('[data-testid="grid-state"]').dataset.state;
      if (state !== 'live') seen.states.push(`${panel}: ${state}`);
    }
    if (shown.size > 1) seen.apart.push(JSON.stringify(seen.worlds));
    window.recorderFrame = requestAnimationFrame(watch);
  };
  window.recorded = seen;
  watch();
}
