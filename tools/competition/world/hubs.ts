import { GameId } from './games';
import { WorldSizes } from './options';
import { OrganizerFacts, Organizers } from './organizers';
import { mainPool, Population, Pool, Ring } from './population';
import { Source } from './random';
import { events, packs, qualities } from './words';

/** The facts of a hub that other documents repeat. */
export interface HubFacts {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly game: GameId;
  readonly region: string;
  readonly organizer: OrganizerFacts;
  readonly members: number;
  /** Seasons with a leaderboard, from 1; the last is in progress. */
  readonly seasons: number;
  /** Index of the player with the given member number from 0; the first owns the hub. */
  readonly memberAt: (place: number) => number;
}

/** Hubs that the showcase player is a member of. */
const showcaseHubs = 3;

/** Maximum of leaderboards per hub: the general one and the seasons. */
const leaderboardsPerHub = 8;

const rolesPerHub = 8;

/** The hubs of the world; the first is the largest. */
export class Hubs {
  private readonly known = new Map<number, HubFacts>();
  private readonly ids: Source;
  private readonly facts: Source;
  private readonly leaderboardIds: Source;
  private readonly roleIds: Source;
  private readonly ruleIds: Source;

  constructor(
    seed: number,
    private readonly sizes: WorldSizes,
    private readonly population: Population,
    private readonly organizers: Organizers,
  ) {
    this.ids = new Source(seed, 'hub');
    this.facts = new Source(seed, 'hub facts');
    this.leaderboardIds = new Source(seed, 'hub leaderboard');
    this.roleIds = new Source(seed, 'hub role');
    this.ruleIds = new Source(seed, 'hub rules');
  }

  get count(): number {
    return this.sizes.hubs;
  }

  idOf(index: number): string {
    return this.ids.uuid(index);
  }

  /** Season 0 is the general leaderboard. */
  leaderboardIdOf(hub: number, season: number): string {
    return this.leaderboardIds.hex24(hub * leaderboardsPerHub + season);
  }

  roleIdOf(hub: number, role: number): string {
    return this.roleIds.uuid(hub * rolesPerHub + role);
  }

  ruleIdOf(hub: number): string {
    return this.ruleIds.uuid(hub);
  }

  factsOf(index: number): HubFacts {
    let facts = this.known.get(index);
    if (!facts) this.known.set(index, (facts = this.drawFacts(index)));
    return facts;
  }

  private drawFacts(index: number): HubFacts {
    const random = this.facts.random(index);
    const isShowcase = index < showcaseHubs;
    const pool = isShowcase ? mainPool : this.population.pickPool(random, 1);
    const total = this.population.playersIn(pool);
    const ring = new Ring(total, random, isShowcase ? 0 : undefined);
    return {
      index,
      id: this.idOf(index),
      name: this.nameOf(index, pool, random.pick(qualities), random.pick(packs), random.pick(events)),
      game: pool.game,
      region: pool.region,
      organizer: index === 0 ? this.organizers.factsOf(0) : this.organizers.pick(random, pool.game),
      members: Math.min(
        total,
        index === 0 ? this.sizes.largestHub : 10 + random.skewed(this.sizes.largestOtherHub - 9),
      ),
      seasons: index === 0 ? 3 : 1,
      memberAt: (place) => this.population.playerAt(pool, ring.at(place)),
    };
  }

  private nameOf(index: number, { region }: Pool, quality: string, pack: string, event: string): string {
    return index === 0 ? 'Podium Premier Hub' : `${quality} ${pack} ${event} ${region}`;
  }
}
