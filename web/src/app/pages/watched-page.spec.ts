import { describe, expect, it } from 'vitest';
import type { FlowPage } from '../catalogue/flow-pages';
import { NOTHING_WATCHED, watchPage, type WatchedPage } from './watched-page';

const page = (flow: string, path = flow): FlowPage => ({
  flow,
  path,
  title: flow,
  filter: '',
  cards: [],
});
const GOLD = page('positions', 'gold');
const SILVER = page('positions', 'silver');

/** The flows that a viewer sees one after the other. */
function flows(...steps: [address: string, ...pages: FlowPage[]][]): (string | undefined)[] {
  let watched: WatchedPage = NOTHING_WATCHED;
  return steps.map(([address, ...pages]) => {
    watched = watchPage(watched, address, pages);
    return watched.flow;
  });
}

describe('watchPage', () => {
  it('finds the page at an address, and none where there has been none', () => {
    expect(flows(['gold', GOLD], ['customers', GOLD, page('customers')], ['x', GOLD])).toEqual([
      'positions',
      'customers',
      undefined,
    ]);
  });

  it('stays with a flow whose address changes, whoever takes the old one', () => {
    expect(flows(['gold', GOLD], ['gold', SILVER])).toEqual(['positions', 'positions']);
    expect(flows(['gold', GOLD], ['gold', SILVER, page('other', 'gold')])).toEqual([
      'positions',
      'positions',
    ]);
  });

  it('goes to the page that has the address for a viewer who comes anew', () => {
    const after: FlowPage[] = [SILVER, page('other', 'gold')];
    expect(flows(['gold', GOLD], ['silver', ...after], ['gold', ...after]).at(-1)).toBe('other');
  });

  it('finds the flow again for a viewer who goes back', () => {
    expect(flows(['gold', GOLD], ['silver', SILVER], ['gold', SILVER]).at(-1)).toBe('positions');
  });

  it('remembers a flow that was removed, and takes one that comes in its place', () => {
    expect(flows(['gold', GOLD], ['gold'], ['gold', page('other', 'gold')])).toEqual([
      'positions',
      'positions',
      'other',
    ]);
  });
});
