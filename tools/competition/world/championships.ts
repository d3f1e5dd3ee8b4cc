import { dayS, hourS } from './clock';
import { GameId } from './games';
import { WorldOptions, WorldSizes } from './options';
import { OrganizerFacts, Organizers } from './organizers';
import { mainPool, Population, Ring } from './population';
import { Random, Source } from './random';
import { events, occasions } from './words';

/** The facts of a championship that other documents repeat. */
export interface ChampionshipFacts {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly game: GameId;
  readonly region: string;
  readonly organizer: OrganizerFacts;
  readonly status: string;
  readonly published: boolean;
  /** Unix seconds. */
  readonly startS: number;
  readonly endS: number;
  /** Number of rounds, one after the other from the start. */
  readonly rounds: number;
  /** Seconds of each round; the remaining time belongs to the last. */
  readonly roundS: number;
  readonly isAnticheatRequired: boolean;
  /** Whether matches of it are broadcast. */
  readonly isStreamed: boolean;
  /** Teams that subscribed, at least 2. */
  readonly teams: number;
  readonly groups: number;
  /** Index of the team with the given subscription number from 0; the number belongs to the group `place % groups + 1`. */
  readonly teamAt: (place: number) => number;
}

/** States of the first championships, so that the smallest world has all; the first is the showcase. */
const leadingStatuses = ['ongoing', 'finished', 'join', 'upcoming', 'started', 'adjustment', 'cancelled', 'finished'];

/** Championships of the main organizer in the main pool. */
const showcaseChampionships = 5;

const groupsPerChampionship = 16;

/** The round, from 1, that a time of a championship belongs to. */
export function roundAt({ startS, rounds, roundS }: ChampionshipFacts, timeS: number): number {
  return Math.min(rounds, Math.max(1, 1 + Math.floor((timeS - startS) / roundS)));
}

/** The championships of the world; the first is the largest and in progress. */
export class Championships {
  private readonly known = new Map<number, ChampionshipFacts>();
  private readonly ids: Source;
  private readonly facts: Source;
  private readonly leaderboardIds: Source;

  constructor(
    private readonly options: WorldOptions,
    private readonly sizes: WorldSizes,
    private readonly population: Population,
    private readonly organizers: Organizers,
  ) {
    this.ids = new Source(options.seed, 'championship');
    this.facts = new Source(options.seed, 'championship facts');
    this.leaderboardIds = new Source(options.seed, 'championship leaderboard');
  }

  get count(): number {
    return this.sizes.championships;
  }

  idOf(index: number): string {
    return this.ids.uuid(index);
  }

  /** Groups count from 1. */
  leaderboardIdOf(championship: number, group: number): string {
    return this.leaderboardIds.hex24(championship * groupsPerChampionship + group - 1);
  }

  factsOf(index: number): ChampionshipFacts {
    let facts = this.known.get(index);
    if (!facts) this.known.set(index, (facts = this.drawFacts(index)));
    return facts;
  }

  private drawFacts(index: number): ChampionshipFacts {
    const random = this.facts.random(index);
    const isShowcase = index < showcaseChampionships;
    const pool = isShowcase ? mainPool : this.population.pickPool(random, 2);
    const squads = this.population.squadsIn(pool);
    const ring = new Ring(squads, random, isShowcase ? 0 : undefined);
    const status = leadingStatuses[index] ?? statusOf(random);
    const teams = Math.min(squads, index === 0 ? this.sizes.largestChampionship : 4 + random.skewed(29));
    const [startS, endS] = this.spanOf(index, status, random);
    const rounds = Math.max(1, Math.ceil(Math.log2(teams)));
    return {
      index,
      id: this.idOf(index),
      name:
        index === 0
          ? 'Podium Open Championship'
          : `${random.pick(occasions)} ${random.pick(events)} ${pool.region} #${random.between(1, 60)}`,
      game: pool.game,
      region: pool.region,
      organizer: isShowcase ? this.organizers.factsOf(0) : this.organizers.pick(random, pool.game),
      status,
      published: index % 8 !== 3,
      startS,
      endS,
      rounds,
      roundS: Math.floor((endS - startS) / rounds / hourS) * hourS,
      isAnticheatRequired: random.chance(40),
      isStreamed: index === 0 || random.chance(25),
      teams,
      groups: Math.min(Math.max(1, Math.floor(teams / 2)), index === 0 ? groupsPerChampionship : 4),
      teamAt: (place) => this.population.squadAt(pool, ring.at(place)),
    };
  }

  /** Start and end for a state, on full hours. */
  private spanOf(index: number, status: string, random: Random): [number, number] {
    const nowS = this.options.nowS - (this.options.nowS % hourS);
    const lengthS = random.between(2, 14) * dayS;
    const offsetS = random.between(1, 23) * hourS;
    if (index === 0) return [nowS - 28 * dayS, nowS + 14 * dayS];
    if (status === 'join' || status === 'upcoming') {
      const startS = nowS + random.between(1, status === 'join' ? 20 : 3) * dayS + offsetS;
      return [startS, startS + lengthS];
    }
    if (status === 'finished' || status === 'cancelled') {
      const endS = nowS - random.skewed(300) * dayS - offsetS;
      return [endS - lengthS, endS];
    }
    const startS = nowS - Math.floor(lengthS / dayS / 2) * dayS - offsetS;
    return [startS, startS + lengthS + dayS];
  }
}

function statusOf(random: Random): string {
  const lot = random.below(100);
  if (lot < 78) return 'finished';
  if (lot < 84) return 'join';
  if (lot < 88) return 'upcoming';
  if (lot < 93) return 'ongoing';
  if (lot < 96) return 'started';
  return lot < 97 ? 'adjustment' : 'cancelled';
}
