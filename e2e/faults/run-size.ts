import { probesPerS } from './link-changes';

/** New events of all users of a platform, per second. */
export const newEventsPerS = 25;
/** Few, because the oracle recomputes everything at every second that matters. */
export const judgedEventsPerS = 3;

/** At most 0.6 of them are of one name: so fewer of it than are kept singly, for which alone every award is exact (docs/engine.md). */
const maxEventsPerUser = 2_500;
/** Every kind is injected alone once, however short a run is to be. On a machine of its own it takes less than half of this. */
const msPerKind = 90_000;

/** How many users a run has. */
export interface RunSize {
  /** Of each platform. */
  readonly users: number;
  /** Of these, those of the first platform who are unlinked and relinked. */
  readonly moving: number;
  readonly judged: number;
}

/** The users of a run of so many kinds: the longer it lasts, the more share its events. Undefined: each kind once, side by side. */
export function sizeOf(kinds: number, rounds: { readonly forMs: number } | undefined): RunSize {
  const lengthS = rounds === undefined ? 0 : Math.max(rounds.forMs, kinds * msPerKind) / 1000;
  const usersOf = (eventsPerS: number): number => Math.ceil((eventsPerS * lengthS) / maxEventsPerUser);
  const moving = Math.max(1, usersOf(probesPerS));
  return {
    ...{ moving, users: moving + Math.max(2, usersOf(newEventsPerS)) },
    judged: Math.max(2, usersOf(judgedEventsPerS)),
  };
}
