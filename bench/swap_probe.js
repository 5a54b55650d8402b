// A viewer of several tables that notes when rows of other sources are painted.
// Leaves `swaps[table]`: pairs of (the first topic shown, when it was painted), one per change.
async ({ key, tables, rows, interval }) => {
  const { default: dh } = await import('/jsapi/dh-core.js');
  const client = new dh.CoreClient(location.origin);
  await client.login({
    type: 'io.deephaven.authentication.psk.PskAuthenticationHandler',
    token: key,
  });
  const connection = await client.getAsIdeConnection();
  globalThis.swaps = {};

  for (const name of tables) {
    const table = await connection.getTable(name);
    const topic = table.findColumn('topic');
    const seen = (swaps[name] = []);
    let last = '';
    table.addEventListener(dh.Table.EVENT_UPDATED, ({ detail }) => {
      const worlds = new Set(detail.rows.map((row) => row.get(topic).replace(/\.[a-z]+$/, '')));
      const shown = [...worlds].join(' and ');
      if (shown && shown !== last) {
        last = shown;
        // The frame after the next one begins when this one has been painted.
        requestAnimationFrame(() => requestAnimationFrame(() => seen.push([shown, Date.now()])));
      }
    });
    table.setViewport(0, rows, null, interval);
  }
}
