// A viewer: attaches to tables and notes how old each changed row is when it arrives.
// Leaves `probe.samples[table]`, pairs of (time of the event, milliseconds until it was here), and
// `probe.first[table]`, when the first rows were.
async ({ key, tables, rows, interval }) => {
  const { default: dh } = await import('/jsapi/dh-core.js');
  const client = new dh.CoreClient(location.origin);
  await client.login({
    type: 'io.deephaven.authentication.psk.PskAuthenticationHandler',
    token: key,
  });
  const connection = await client.getAsIdeConnection();
  const attached = Date.now();
  globalThis.probe = { samples: {}, first: {} };

  for (const name of tables) {
    const table = await connection.getTable(name);
    const time = table.findColumn('ts');
    const keys = table.columns.filter((c) => ['userId', 'accountType', 'symbol'].includes(c.name));
    const known = new Map();
    const samples = (probe.samples[name] = []);
    table.addEventListener(dh.Table.EVENT_UPDATED, ({ detail }) => {
      const now = Date.now();
      for (const row of detail.rows) {
        const id = keys.map((column) => row.get(column)).join('/');
        const at = row.get(time).asDate().getTime();
        const before = known.get(id);
        known.set(id, at);
        // A row that comes into view for the first time may be old; only a change counts.
        if (before !== undefined && before !== at && at > attached) {
          samples.push([at, now - at]);
        }
      }
      if (known.size > 0) {
        probe.first[name] ??= now;
      }
    });
    if (interval === null) {
      table.setViewport(0, rows);
    } else {
      table.setViewport(0, rows, null, interval);
    }
  }
}
