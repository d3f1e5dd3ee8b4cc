import fc from 'fast-check';
import { boundsOf } from './candidate-seconds';
import { definitions } from './generate-definitions';
import { events, links, span } from './generate-history';
import { rates } from './generate-rates';
import type { World } from './world';

const dayS = 86_400;

/** What a random world is made of. */
export interface WorldOptions {
  /** The most events. */
  readonly maxEvents?: number;
}

/** A user with links and events, and definitions over the whole grammar, with the horizon of 35 days. */
export function world({ maxEvents = 40 }: WorldOptions = {}): fc.Arbitrary<World> {
  const horizonS = 35 * dayS;
  return span.chain((within) =>
    fc.tuple(definitions(within), links(within), rates(within)).chain(([defined, linked, approved]) =>
      events(
        { within, links: linked, horizonS, bounds: boundsOf({ definitions: defined, links: linked }) },
        maxEvents,
      ).map((made) => ({
        definitions: defined,
        links: linked,
        events: made,
        rates: approved,
        horizonS,
      })),
    ),
  );
}

/** A part of a whole, evenly distributed; `fc.double` prefers numbers close to 0. */
export const share: fc.Arbitrary<number> = fc.integer({ min: 0, max: 1_000_000 }).map((millionths) => millionths / 1e6);

/** A second at which all events of a world are received and have taken effect, and some days have passed. */
export function afterAll({ definitions: defined, events: made, links: linked }: World): number {
  const begins = defined.flatMap(({ versions }) => versions.map(({ inForceFrom }) => inForceFrom));
  const happened = made.flatMap(({ createdAt, receivedAt }) => [createdAt, receivedAt]);
  return Math.max(...begins, ...happened, ...linked.map(({ linkedAt }) => linkedAt)) + 10 * dayS;
}
