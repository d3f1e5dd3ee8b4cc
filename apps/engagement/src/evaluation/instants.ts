import { UserView, seenAt } from './user-history';

/** The most future instants that one evaluation looks at; it continues when the last of them is due. */
const maxFutureInstants = 200;

/** The instants at which a definition has to be evaluated for a user, each list in order. */
export interface Instants {
  /** From `fromS` up to now. */
  readonly past: readonly number[];
  /** After now, at most a few hundred. */
  readonly future: readonly number[];
  /** Whether there are more than `future` has. */
  readonly isCut: boolean;
}

/**
 * All seconds at which a definition over these event names may change: its events, the beginnings of links, and what
 * `boundaries` adds.
 */
export function instantsOf(
  view: UserView,
  names: Iterable<string>,
  range: { readonly fromS: number; readonly nowS: number },
  boundaries: (add: (atS: number) => void) => void,
): Instants {
  const seconds = new Set<number>();
  const add = (atS: number): void => {
    if (atS >= range.fromS && Number.isFinite(atS)) seconds.add(atS);
  };
  for (const name of names) for (const event of view.eventsOf(name)) add(seenAt(event));
  for (const { linkedAt } of view.links) add(linkedAt);
  boundaries(add);
  const all = [...seconds].sort((a, b) => a - b);
  const firstFuture = all.findIndex((atS) => atS > range.nowS);
  const future = firstFuture === -1 ? [] : all.slice(firstFuture, firstFuture + maxFutureInstants);
  const past = firstFuture === -1 ? all : all.slice(0, firstFuture);
  return { past, future, isCut: past.length + future.length < all.length };
}
