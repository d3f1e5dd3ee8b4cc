import { dayS, hourS } from './clock';
import { GameId } from './games';
import { MatchIds, SideIndex, tournamentMatchOf } from './match-ids';
import { WorldOptions, WorldSizes } from './options';
import { OrganizerFacts, Organizers } from './organizers';
import { mainPool, Population, Ring } from './population';
import { Random, Source } from './random';
import { events, qualities } from './words';

/** The facts of a tournament that other documents repeat. */
export interface TournamentFacts {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly game: GameId;
  readonly region: string;
  readonly organizer: OrganizerFacts;
  readonly status: 'created' | 'join' | 'started' | 'finished' | 'cancelled';
  /** Unix seconds. */
  readonly startS: number;
  /** 2, 4 or 8. */
  readonly teams: number;
  readonly rounds: number;
  /** Drawn matches of the bracket: the first round always, a later one when the previous one has its winners. */
  readonly matches: number;
  readonly isAnticheatRequired: boolean;
  /** Index of the team with the given entry number, from 0. */
  readonly teamAt: (place: number) => number;
}

/** The position of a match in a bracket. */
export interface BracketPlace {
  /** From 1. */
  readonly round: number;
  /** In the round, from 0. */
  readonly position: number;
}

/** States of the first tournaments, so that the smallest world has all; the first is the showcase. */
const leadingStatuses = ['finished', 'started', 'join', 'created', 'cancelled', 'finished'] as const;

/** Tournaments of the main organizer in the main pool; the showcase player's team is in them. */
const showcaseTournaments = 6;

/** Time of a round of a bracket. */
export const roundS = 1.5 * hourS;

/** The tournaments of the world: single-elimination brackets. */
export class Tournaments {
  private readonly known = new Map<number, TournamentFacts>();
  private readonly ids: Source;
  private readonly facts: Source;

  constructor(
    private readonly options: WorldOptions,
    private readonly sizes: WorldSizes,
    private readonly population: Population,
    private readonly organizers: Organizers,
    private readonly matchIds: MatchIds,
  ) {
    this.ids = new Source(options.seed, 'tournament');
    this.facts = new Source(options.seed, 'tournament facts');
  }

  get count(): number {
    return this.sizes.tournaments;
  }

  idOf(index: number): string {
    return this.ids.uuid(index);
  }

  factsOf(index: number): TournamentFacts {
    let facts = this.known.get(index);
    if (!facts) this.known.set(index, (facts = this.drawFacts(index)));
    return facts;
  }

  /** The position of a match of the bracket. */
  placeOf({ teams }: TournamentFacts, match: number): BracketPlace {
    let position = match;
    let round = 1;
    for (let size = teams / 2; position >= size; size /= 2) {
      position -= size;
      round++;
    }
    return { round, position };
  }

  /** Index of the team on a side of a bracket's match: an entrant, or the winner of an earlier match. */
  teamOf(facts: TournamentFacts, match: number, side: SideIndex): number {
    const { round, position } = this.placeOf(facts, match);
    if (round === 1) return facts.teamAt(2 * position + side);
    const before = match - position - facts.teams / 2 ** (round - 1) + 2 * position + side;
    return this.teamOf(facts, before, this.matchIds.winnerOf(tournamentMatchOf(facts.index, before)));
  }

  private drawFacts(index: number): TournamentFacts {
    const random = this.facts.random(index);
    const isShowcase = index < showcaseTournaments;
    const pool = isShowcase ? mainPool : this.population.pickPool(random, 2);
    const squads = this.population.squadsIn(pool);
    const ring = new Ring(squads, random, isShowcase ? 0 : undefined);
    const status = leadingStatuses[index] ?? statusOf(random);
    const rounds = Math.min(3, Math.floor(Math.log2(squads)));
    const teams = 2 ** rounds;
    return {
      index,
      id: this.idOf(index),
      name:
        index === 0
          ? 'Podium Weekly Tournament'
          : `${random.pick(qualities)} ${random.pick(events)} ${pool.region} ${random.between(1, 99)}`,
      game: pool.game,
      region: pool.region,
      organizer: isShowcase ? this.organizers.factsOf(0) : this.organizers.pick(random, pool.game),
      status,
      startS: this.startOf(index, status, rounds, random),
      teams,
      rounds,
      matches: matchesOf(status, teams),
      isAnticheatRequired: random.chance(40),
      teamAt: (place) => this.population.squadAt(pool, ring.at(place)),
    };
  }

  private startOf(index: number, status: TournamentFacts['status'], rounds: number, random: Random): number {
    const nowS = this.options.nowS - (this.options.nowS % hourS);
    if (index === 0) return nowS - 12 * dayS;
    // The last existing round began at most an hour ago.
    if (status === 'started') return this.options.nowS - Math.max(0, rounds - 2) * roundS - hourS / 2;
    if (status === 'created' || status === 'join') return nowS + random.between(2, 14 * 24) * hourS;
    return nowS - random.between(12, 300 * 24) * hourS;
  }
}

function statusOf(random: Random): TournamentFacts['status'] {
  const lot = random.below(100);
  if (lot < 80) return 'finished';
  if (lot < 85) return 'started';
  if (lot < 91) return 'join';
  return lot < 96 ? 'created' : 'cancelled';
}

/** A started tournament lacks its final, unless the final is all that it has; one that has not begun has its first round. */
function matchesOf(status: TournamentFacts['status'], teams: number): number {
  if (status === 'finished') return teams - 1;
  if (status === 'started') return Math.max(1, teams - 2);
  return teams / 2;
}
