import { mainPool, Population, Pool, pools, Ring } from './population';
import { WorldSizes } from './options';
import { Source } from './random';

/** The facts of a league that other documents repeat. */
export interface LeagueFacts {
  readonly index: number;
  readonly id: string;
  readonly pool: Pool;
  readonly players: number;
  /** Index of the player with the given draw number, from 0. */
  readonly playerAt: (place: number) => number;
}

/** A division, with its minimum of points. */
export interface DivisionRow {
  readonly name: string;
  readonly type: string;
  readonly color: string;
  readonly minElo: number;
  readonly maxElo: number;
  readonly leastPoints: number;
}

/** The divisions of every league, the lowest first. */
export const divisions: readonly DivisionRow[] = [
  { name: 'Bronze', type: 'bronze', color: '#a97142', minElo: 100, maxElo: 900, leastPoints: 0 },
  { name: 'Silver', type: 'silver', color: '#c0c0c0', minElo: 901, maxElo: 1200, leastPoints: 450 },
  { name: 'Gold', type: 'gold', color: '#ffd700', minElo: 1201, maxElo: 1750, leastPoints: 900 },
  { name: 'Master', type: 'master', color: '#b23aee', minElo: 1751, maxElo: 10000, leastPoints: 1350 },
];

/** Names of the tiers of every division, the lowest first. */
export const tiers: readonly string[] = ['III', 'II', 'I'];

/** Points between two tiers of a division. */
export const pointsPerTier = 150;

/** Seasons of every league; the last is in progress. */
export const seasons = 2;

const leaguePools = [
  mainPool,
  ...pools.filter(
    ({ game, region }) => (game === 'cs2' && region === 'US') || (game !== 'cs2' && region === 'EU' && game !== 'lol'),
  ),
];

/** The leagues of the world: one for each of the large pools. */
export class Leagues {
  readonly count = leaguePools.length;
  private readonly ids: Source;
  private readonly facts: Source;
  private readonly leaderboardIds: Source;

  constructor(
    seed: number,
    private readonly sizes: WorldSizes,
    private readonly population: Population,
  ) {
    this.ids = new Source(seed, 'league');
    this.facts = new Source(seed, 'league facts');
    this.leaderboardIds = new Source(seed, 'league leaderboard');
  }

  idOf(index: number): string {
    return this.ids.uuid(index);
  }

  /** The id of the league of a pool; empty for pools without one. */
  idForPool(pool: Pool): string {
    const index = leaguePools.indexOf(pool);
    return index < 0 ? '' : this.idOf(index);
  }

  /** Seasons count from 1, divisions from 0. */
  leaderboardIdOf(league: number, season: number, division: number): string {
    return this.leaderboardIds.hex24((league * (seasons + 1) + season) * divisions.length + division);
  }

  factsOf(index: number): LeagueFacts {
    const pool = leaguePools[index];
    const total = this.population.playersIn(pool);
    const ring = new Ring(total, this.facts.random(index), 0);
    return {
      index,
      id: this.idOf(index),
      pool,
      players: Math.min(total, this.sizes.largestLeague),
      playerAt: (place) => this.population.playerAt(pool, ring.at(place)),
    };
  }
}
