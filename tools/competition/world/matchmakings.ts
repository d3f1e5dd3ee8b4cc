import { GameId } from './games';
import { Leagues } from './leagues';
import { Hubs } from './hubs';
import { OrganizerFacts, Organizers } from './organizers';
import { Pool, pools } from './population';
import { Source } from './random';

/** The facts of a matchmaking that other documents repeat. */
export interface MatchmakingFacts {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly pool: Pool;
  readonly organizer: OrganizerFacts;
  /** Empty when it has none. */
  readonly leagueId: string;
}

/** The facts of a queue that other documents repeat. */
export interface QueueFacts {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly game: GameId;
  readonly region: string;
  readonly organizerId: string;
  readonly entityType: 'matchmaking' | 'hub';
  readonly entityId: string;
  readonly open: boolean;
  readonly paused: boolean;
}

const queuesPerMatchmaking = 2;

/** The matchmakings of the world, one per pool, with two queues each; every hub has a queue as well. */
export class Matchmakings {
  readonly count = pools.length;
  private readonly ids: Source;
  private readonly facts: Source;
  private readonly queueIds: Source;
  private readonly queueFacts: Source;

  constructor(
    seed: number,
    private readonly organizers: Organizers,
    private readonly leagues: Leagues,
    private readonly hubs: Hubs,
  ) {
    this.ids = new Source(seed, 'matchmaking');
    this.facts = new Source(seed, 'matchmaking facts');
    this.queueIds = new Source(seed, 'queue');
    this.queueFacts = new Source(seed, 'queue facts');
  }

  idOf(index: number): string {
    return this.ids.uuid(index);
  }

  /** A matchmaking has the index of its pool. */
  factsOf(index: number): MatchmakingFacts {
    const pool = pools[index];
    return {
      index,
      id: this.idOf(index),
      name: `Ranked 5v5 ${pool.region}`,
      pool,
      organizer: index === 0 ? this.organizers.factsOf(0) : this.organizers.pick(this.facts.random(index), pool.game),
      leagueId: this.leagues.idForPool(pool),
    };
  }

  get queueCount(): number {
    return this.count * queuesPerMatchmaking + this.hubs.count;
  }

  queueIdOf(index: number): string {
    return this.queueIds.hex24(index);
  }

  queuesOf(matchmaking: number): QueueFacts[] {
    return Array.from({ length: queuesPerMatchmaking }, (_, place) =>
      this.queueOf(matchmaking * queuesPerMatchmaking + place),
    );
  }

  /** The queues of matchmakings come first, then those of hubs. */
  queueOf(index: number): QueueFacts {
    const random = this.queueFacts.random(index);
    const state = { open: index === 0 || random.chance(85), paused: index !== 0 && random.chance(10) };
    const hub = index - this.count * queuesPerMatchmaking;
    if (hub >= 0) {
      const { id, name, game, region, organizer } = this.hubs.factsOf(hub);
      const queue = {
        index,
        id: this.queueIdOf(index),
        name: `${name} queue`,
        game,
        region,
        organizerId: organizer.id,
      };
      return { ...queue, entityType: 'hub', entityId: id, ...state };
    }
    const { id, pool, organizer } = this.factsOf(Math.floor(index / queuesPerMatchmaking));
    return {
      index,
      id: this.queueIdOf(index),
      name: index % queuesPerMatchmaking === 0 ? '5v5' : '5v5 newcomers',
      game: pool.game,
      region: pool.region,
      organizerId: organizer.id,
      entityType: 'matchmaking',
      entityId: id,
      ...state,
    };
  }
}
