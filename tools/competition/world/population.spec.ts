import * as fc from 'fast-check';
import { Population, pools, Ring, squadSize } from './population';
import { Source } from './random';

describe('Population', () => {
  it('puts every player of a full squad at one position of one pool', () => {
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 5_000 }), (count) => {
        const population = new Population(count);
        const players = pools.flatMap((pool) =>
          Array.from({ length: population.playersIn(pool) }, (_, place) => {
            const player = population.playerAt(pool, place);
            expect(population.poolOfPlayer(player)).toBe(pool);
            return player;
          }),
        );
        expect(players.sort((a, b) => a - b)).toEqual(
          Array.from({ length: Math.floor(count / squadSize) * squadSize }, (_, player) => player),
        );
      }),
      { numRuns: 30 },
    );
  });

  it('has two squads at least of the large pools in the smallest world', () => {
    const population = new Population(200);
    expect(
      pools.filter((pool) => population.squadsIn(pool) >= 2).map(({ game, region }) => `${game} ${region}`),
    ).toEqual(['cs2 EU', 'cs2 US', 'cs2 SA', 'dota2 EU', 'valorant EU', 'lol EU']);
  });
});

describe('Ring', () => {
  it('visits every number once, from the requested start', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.nat(1_000), fc.nat(399), (total, seed, start) => {
        const ring = new Ring(total, new Source(seed, 'ring').random(0), start % total);
        const visited = Array.from({ length: total }, (_, place) => ring.at(place));
        expect(visited[0]).toBe(start % total);
        expect(new Set(visited).size).toBe(total);
      }),
    );
  });
});
