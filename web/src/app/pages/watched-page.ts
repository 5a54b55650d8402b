import { pageAt, type FlowPage } from '../catalogue/flow-pages';

/** Whose page a viewer looks at. */
export interface WatchedPage {
  /** Where the viewer is. */
  readonly address: string;
  /** The flow; undefined as long as there has been no page. */
  readonly flow: string | undefined;
  /** The flows whose pages were there before, by address. */
  readonly seen: ReadonlyMap<string, string>;
}

/** Before the viewer has seen anything. */
export const NOTHING_WATCHED: WatchedPage = { address: '', flow: undefined, seen: new Map() };

/**
 * Whose page a viewer looks at now. It stays that of the same flow while it has one, also when its
 * address becomes another; an address that no page has any more is that of the flow which had it.
 */
export function watchPage(
  before: WatchedPage,
  address: string,
  pages: readonly FlowPage[],
): WatchedPage {
  const stays = before.address === address && pages.some(({ flow }) => flow === before.flow);
  const flow = stays ? before.flow : (pageAt(pages, address)?.flow ?? before.seen.get(address));
  const seen = flow === undefined ? before.seen : new Map([...before.seen, [address, flow]]);
  return { address, flow, seen };
}
