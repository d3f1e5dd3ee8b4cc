import { GameId } from './games';
import { Random } from './random';

/** The players of one game in one region, who play with each other. */
export interface Pool {
  readonly index: number;
  readonly game: GameId;
  readonly region: string;
  /** The game that its players may play as well. */
  readonly secondGame: GameId;
  /** Its fiftieths of all squads; with a leading one the pool exists in small worlds too. */
  readonly slots: readonly number[];
}

/** Players of the same squad: a squad's teams come from these. */
export const squadSize = 10;

const slotCount = 50;

const rows: readonly Omit<Pool, 'index'>[] = [
  {
    game: 'cs2',
    region: 'EU',
    secondGame: 'valorant',
    slots: [0, 1, 3, 6, 8, 11, 14, 17, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42],
  },
  { game: 'cs2', region: 'US', secondGame: 'valorant', slots: [5, 12, 23, 33, 43] },
  { game: 'cs2', region: 'SEA', secondGame: 'cs2_sea', slots: [9, 25] },
  { game: 'cs2', region: 'SA', secondGame: 'lol', slots: [13, 18, 44] },
  { game: 'cs2', region: 'OCE', secondGame: 'dota2', slots: [46] },
  { game: 'cs2_sea', region: 'SEA', secondGame: 'dota2', slots: [19] },
  { game: 'dota2', region: 'EU', secondGame: 'cs2', slots: [2, 10, 27, 35, 47] },
  { game: 'dota2', region: 'SEA', secondGame: 'cs2_sea', slots: [29, 39] },
  { game: 'valorant', region: 'EU', secondGame: 'cs2', slots: [4, 15, 31, 45] },
  { game: 'valorant', region: 'US', secondGame: 'lol', slots: [21, 41] },
  { game: 'lol', region: 'EU', secondGame: 'dota2', slots: [7, 16, 37, 48] },
  { game: 'lol', region: 'US', secondGame: 'cs2', slots: [49] },
];

/** All pools; their shares are those of `slots`, so that two of five players play cs2 in Europe. */
export const pools: readonly Pool[] = rows.map((row, index) => ({ index, ...row }));

/** The first pool: the showcase, the largest hub and the largest championship are of its game and region. */
export const mainPool = pools[0];

const poolBySlot: readonly Pool[] = Array.from({ length: slotCount }, (_, slot) => {
  const pool = pools.find(({ slots }) => slots.includes(slot));
  if (!pool) throw new Error(`no pool has slot ${slot}`);
  return pool;
});

/** The players of each pool, computed by arithmetic, so that no list of players is held in memory. */
export class Population {
  /** Full squads; players after the last of them play alone. */
  readonly squads: number;

  constructor(readonly players: number) {
    this.squads = Math.floor(players / squadSize);
  }

  poolOfPlayer(player: number): Pool {
    return this.poolOfSquad(Math.floor(player / squadSize));
  }

  poolOfSquad(squad: number): Pool {
    return poolBySlot[squad % slotCount];
  }

  squadsIn({ slots }: Pool): number {
    const rounds = Math.floor(this.squads / slotCount);
    const rest = this.squads % slotCount;
    return rounds * slots.length + slots.filter((slot) => slot < rest).length;
  }

  /** The squad at a place of a pool, from 0. */
  squadAt({ slots }: Pool, place: number): number {
    return Math.floor(place / slots.length) * slotCount + slots[place % slots.length];
  }

  playersIn(pool: Pool): number {
    return this.squadsIn(pool) * squadSize;
  }

  /** The player at a place of a pool, from 0. */
  playerAt(pool: Pool, place: number): number {
    return this.squadAt(pool, Math.floor(place / squadSize)) * squadSize + (place % squadSize);
  }

  /** One of the pools with at least so many squads, large ones more often. */
  pickPool(random: Random, leastSquads: number): Pool {
    for (;;) {
      const pool = poolBySlot[random.below(slotCount)];
      if (this.squadsIn(pool) >= leastSquads) return pool;
    }
  }
}

/** Visits the numbers below `total` in a pseudo-random order, each once: members are drawn without a list of the drawn. */
export class Ring {
  private readonly start: number;
  private readonly step: number;

  constructor(
    private readonly total: number,
    random: Random,
    start = random.below(total),
  ) {
    this.start = start;
    let step = 1 + random.below(total);
    while (commonDivisor(step, total) !== 1) step++;
    this.step = step;
  }

  /** The number at a place, from 0 to `total` - 1. */
  at(place: number): number {
    return (this.start + place * this.step) % this.total;
  }
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
