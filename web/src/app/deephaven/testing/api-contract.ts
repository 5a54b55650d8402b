import type { RemoteFilter, Session } from '../remote';
import { CONTRACT_ROWS, ContractTable, type ContractRow } from './contract-table';

/** Milliseconds in which something that must not happen would have happened. */
const QUIET = 300;

type Check = (table: ContractTable) => Promise<void>;

/**
 * What the hub relies on in the JS API. The server in memory and a real one are both held to it, so
 * that a test with the one says something about the other.
 */
const CHECKS: Readonly<Record<string, Check>> = {
  'answers a viewport with its rows and knows the size': async (table) => {
    const { offset, rows } = await table.ask(3, 5);
    same([offset, rows.length, table.handle.size], [3, 3, 12]);
  },
  'sends no more rows than there are': async (table) => {
    const { offset, rows } = await table.ask(10, 99);
    same([offset, rows.length], [10, 2]);
  },
  'answers the newest of several viewports': async (table) => {
    table.handle.setViewport(0, 1, [table.column('userId')], 10);
    const { offset } = await table.ask(6, 7);
    same(offset, 6);
  },
  'knows no cells of columns that were not asked for': async (table) => {
    const { rows } = await table.ask(1, 1, ['userId']);
    const read = () => rows[0]?.get(table.column('name'));
    let refused = false;
    try {
      read();
    } catch {
      refused = true;
    }
    same(refused, true);
  },
  'sorts by several columns, nothing before everything': async (table) => {
    table.handle.applySort([table.column('name').sort().asc(), table.column('age').sort().desc()]);
    const sorted = [28, 24, null, 29, 26, 23, 27, 21, null, 31, 22, null];
    const names = [null, 'Name 0', 'Name 1', 'Name 2'];
    same(
      await table.cells('name', 'age'),
      sorted.map((age, place) => [names[Math.floor(place / 3)], age]),
    );
  },
  'filters by a part of a text in any case': (table) =>
    keeps(table, table.value('userId').containsIgnoreCase(table.text('TRACT-0')), ({ userId }) =>
      userId.startsWith('contract-0'),
    ),
  'filters by one of several texts': (table) =>
    keeps(
      table,
      table.value('name').in([table.text('Name 1'), table.text('Name 2')]),
      ({ name }) => name === 'Name 1' || name === 'Name 2',
    ),
  'filters by an equal number': (table) =>
    keeps(table, table.value('age').eq(table.number(27)), ({ age }) => age === 27),
  'takes nothing for less than any number': (table) =>
    keeps(
      table,
      table.value('age').lessThanOrEqualTo(table.number(24)),
      ({ age }) => age === null || age <= 24,
    ),
  'keeps nothing out of what is above a number': (table) =>
    keeps(
      table,
      table.value('age').greaterThan(table.number(24)),
      ({ age }) => age !== null && age > 24,
    ),
  'combines filters by not, and, or': (table) => {
    const empty = table.value('name').isNull();
    const old = table.value('age').greaterThanOrEqualTo(table.number(29));
    return keeps(
      table,
      empty.not().and(old).or(empty),
      ({ name, age }) => name === null || (age ?? 0) >= 29,
    );
  },
  'gives the different values of a column, nothing among them': async (table) => {
    const distinct = await table.handle.selectDistinct([table.column('userId')]);
    try {
      const ids = new ContractTable(table.session, distinct).cells('userId');
      const found = (await ids).map(([id]) => String(id)).sort();
      same(
        found,
        CONTRACT_ROWS.map(({ userId }) => userId),
      );
    } finally {
      distinct.close();
    }
  },
  'gives the different values of the rows that pass a filter': async (table) => {
    const filtered = table.value('name').eq(table.text('Name 1'));
    const expected = CONTRACT_ROWS.filter(({ name }) => name === 'Name 1');
    same(
      await table.passing(filtered),
      expected.map(({ userId }) => userId),
    );
    const distinct = await table.handle.selectDistinct([table.column('userId')]);
    try {
      const ids = new ContractTable(table.session, distinct).cells('userId');
      same(
        (await ids).map(([id]) => String(id)).sort(),
        expected.map(({ userId }) => userId),
      );
    } finally {
      distinct.close();
    }
  },
  'takes no rows for a table that is not for it': async ({ handle }) => {
    const answer = handle.inputTable();
    same(
      await answer.then(
        () => 'taken',
        () => 'refused',
      ),
      'refused',
    );
  },
  'says nothing more after it was closed': async (table) => {
    await table.ask(0, 1);
    let heard = 0;
    table.handle.addEventListener(table.session.api.Table.EVENT_UPDATED, () => heard++);
    table.close();
    await new Promise((resolve) => setTimeout(resolve, QUIET));
    same(heard, 0);
  },
};

/** Runs all checks against a table with the contract's rows; returns what does not hold. */
export async function brokenPromises(session: Session, name: string): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const [promise, check] of Object.entries(CHECKS)) {
    const handle = await session.openTable(name);
    // Unheard, the JS API writes them to the console.
    handle.addEventListener(session.api.Table.EVENT_REQUEST_FAILED, () => undefined);
    const table = new ContractTable(session, handle);
    try {
      await check(table);
    } catch (error) {
      broken.push(`${promise}: ${String(error)}`);
    } finally {
      table.close();
    }
  }
  return broken;
}

async function keeps(
  table: ContractTable,
  filter: RemoteFilter,
  passes: (row: ContractRow) => boolean,
): Promise<void> {
  const expected = CONTRACT_ROWS.filter(passes).map(({ userId }) => userId);
  same(await table.passing(filter), expected);
}

function same(found: unknown, expected: unknown): void {
  const [is, should] = [JSON.stringify(found), JSON.stringify(expected)];
  if (is !== should) {
    throw new Error(`${is} instead of ${should}`);
  }
}
