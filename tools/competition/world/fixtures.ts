import { ChampionshipFacts, Championships, roundAt } from './championships';
import { dayS, hourS } from './clock';
import { GameId, gameRow } from './games';
import { Hubs } from './hubs';
import { matchesPerTournament, showcaseMatches } from './match-ids';
import { Fixture, MatchCompetition, MatchStatus } from './match-plan';
import { MatchSides } from './match-sides';
import { timesOf } from './match-times';
import { Matchmakings } from './matchmakings';
import { OrganizerFacts } from './organizers';
import { Population } from './population';
import { Random } from './random';
import { roundS, TournamentFacts, Tournaments } from './tournaments';

const statuses: readonly MatchStatus[] = [
  'SCHEDULED',
  'VOTING',
  'CONFIGURING',
  'READY',
  'ONGOING',
  'FINISHED',
  'CANCELLED',
];

/** Age of the oldest matches. */
const pastS = 180 * dayS;

/** Input of a fixture in addition to its competition. */
interface Setting {
  readonly status: MatchStatus;
  /** Whether the first of the competition, the showcase player or team, is in it. */
  readonly withFirst: boolean;
  /** Time of the match if its status does not determine it. */
  readonly anchorS?: number;
}

/** Decides the competition, players and time of each match. */
export class Fixtures {
  constructor(
    private readonly nowS: number,
    private readonly population: Population,
    private readonly hubs: Hubs,
    private readonly championships: Championships,
    private readonly matchmakings: Matchmakings,
    private readonly tournaments: Tournaments,
    private readonly sides: MatchSides,
  ) {}

  /** The fixture of a match: first those of the showcase, then those of brackets, then all others. */
  fixtureOf(match: number, random: Random): Fixture {
    if (match < showcaseMatches) return this.showcaseFixture(match, random);
    const place = match - showcaseMatches;
    const tournament = Math.floor(place / matchesPerTournament);
    if (tournament < this.tournaments.count) {
      const facts = this.tournaments.factsOf(tournament);
      const inBracket = place % matchesPerTournament;
      if (inBracket < facts.matches) return this.inTournament(facts, inBracket, random);
    }
    return this.ordinaryFixture(random);
  }

  /**
   * The showcase player's last month in matches 0 to 7, an ongoing match in 22 and an older one in 23; every state of
   * the first hub and the first championship in between.
   */
  private showcaseFixture(match: number, random: Random): Fixture {
    if (match < 8) {
      const anchorS = this.nowS - (1 + 3 * match) * dayS - random.below(20) * hourS;
      const setting = { status: 'FINISHED', withFirst: true, anchorS } as const;
      if (match % 4 === 1) return this.inChampionship(0, setting, random);
      return match % 4 === 2
        ? this.inMatchmaking(0, setting, random)
        : this.inHub(match % 4 === 0 ? 0 : 1, setting, random);
    }
    if (match === 22) return this.inMatchmaking(0, { status: 'ONGOING', withFirst: true }, random);
    if (match === 23)
      return this.inMatchmaking(0, { status: 'FINISHED', withFirst: true, anchorS: this.nowS - 45 * dayS }, random);
    const setting = { status: statuses[(match - 8) >> 1], withFirst: false };
    return match % 2 === 0 ? this.inHub(0, setting, random) : this.inChampionship(0, setting, random);
  }

  /** One of ten in the first hub, one of twenty in the first championship, nearly half in matchmakings. */
  private ordinaryFixture(random: Random): Fixture {
    const lot = random.below(100);
    const status = statusOf(random);
    const setting = { status, withFirst: false };
    if (lot < 10) return this.inHub(0, setting, random);
    if (lot < 32) return this.inHub(1 + random.below(this.hubs.count - 1), setting, random);
    if (lot < 37) return this.inChampionship(0, setting, random);
    if (lot < 55) {
      const championship = 1 + random.below(this.championships.count - 1);
      const possible = possibleStatus(this.championships.factsOf(championship), status);
      if (possible) return this.inChampionship(championship, { status: possible, withFirst: false }, random);
    }
    const pool = this.population.pickPool(random, 1);
    // Matches of a matchmaking are not scheduled.
    return this.inMatchmaking(pool.index, { ...setting, status: status === 'SCHEDULED' ? 'FINISHED' : status }, random);
  }

  private inHub(hub: number, { status, withFirst, anchorS }: Setting, random: Random): Fixture {
    const facts = this.hubs.factsOf(hub);
    return {
      ...this.frame('hub', facts, status),
      group: 0,
      round: 0,
      bestOf: 1,
      sides: this.sides.ofHub(hub, random, withFirst),
      times: timesOf(status, anchorS ?? this.anchorOf(status, random), { isScheduled: false, bestOf: 1 }, random),
    };
  }

  private inMatchmaking(index: number, { status, withFirst, anchorS }: Setting, random: Random): Fixture {
    const { id, name, organizer, pool } = this.matchmakings.factsOf(index);
    return {
      ...this.frame('matchmaking', { id, name, organizer, game: pool.game, region: pool.region }, status),
      group: 0,
      round: 0,
      bestOf: 1,
      sides: this.sides.ofPool(pool, random, withFirst),
      times: timesOf(status, anchorS ?? this.anchorOf(status, random), { isScheduled: false, bestOf: 1 }, random),
    };
  }

  private inChampionship(championship: number, { status, withFirst, anchorS }: Setting, random: Random): Fixture {
    const facts = this.championships.factsOf(championship);
    const { group, sides } = this.sides.ofChampionship(championship, random, withFirst);
    const bestOf = random.chance(25) ? 3 : 1;
    const whenS = anchorS ?? this.anchorWithin(facts, status, random);
    const times = timesOf(status, whenS, { isScheduled: true, bestOf }, random);
    return {
      ...this.frame('championship', facts, status),
      group,
      round: roundAt(facts, times.scheduledS ?? whenS),
      bestOf,
      sides,
      times,
      isBroadcast: facts.isStreamed && random.chance(50),
    };
  }

  private inTournament(facts: TournamentFacts, match: number, random: Random): Fixture {
    const { round } = this.tournaments.placeOf(facts, match);
    const scheduledS = facts.startS + (round - 1) * roundS;
    const status = bracketStatus(facts, round);
    // A match that began an hour ago is over.
    const afterS = status === 'FINISHED' ? 3_900 : status === 'ONGOING' ? 300 : 0;
    return {
      ...this.frame('tournament', facts, status),
      group: 0,
      round,
      bestOf: 1,
      sides: [
        this.sides.ofTeam(this.tournaments.teamOf(facts, match, 0)),
        this.sides.ofTeam(this.tournaments.teamOf(facts, match, 1)),
      ],
      times: { ...timesOf(status, scheduledS + afterS, { isScheduled: true, bestOf: 1 }, random), scheduledS },
    };
  }

  private frame(
    type: MatchCompetition['type'],
    { id, name, organizer, game, region, isAnticheatRequired = true }: CompetitionFacts,
    status: MatchStatus,
  ): Pick<Fixture, 'competition' | 'game' | 'status'> {
    const competition = { type, id, name, organizerId: organizer.id, region, isAnticheatRequired };
    return { competition, game: gameRow(game), status };
  }

  /** Recent ends are more frequent; a match in progress began within the last 40 minutes. */
  private anchorOf(status: MatchStatus, random: Random): number {
    if (status === 'FINISHED' || status === 'CANCELLED') return this.nowS - 60 - random.skewed(pastS);
    return status === 'SCHEDULED' ? this.nowS + random.between(1, 72) * hourS : this.nowS - random.between(60, 2_400);
  }

  private anchorWithin({ startS, endS }: ChampionshipFacts, status: MatchStatus, random: Random): number {
    if (status === 'FINISHED' || status === 'CANCELLED')
      return random.between(startS + 3 * hourS, Math.min(endS, this.nowS - 60));
    if (status === 'SCHEDULED') return random.between(Math.max(startS, this.nowS + hourS), endS);
    return this.anchorOf(status, random);
  }
}

interface CompetitionFacts {
  readonly id: string;
  readonly name: string;
  readonly organizer: OrganizerFacts;
  readonly game: GameId;
  readonly region: string;
  /** True by default. */
  readonly isAnticheatRequired?: boolean;
}

function statusOf(random: Random): MatchStatus {
  const lot = random.below(1_000);
  if (lot < 920) return 'FINISHED';
  if (lot < 950) return 'CANCELLED';
  if (lot < 968) return 'SCHEDULED';
  if (lot < 985) return 'ONGOING';
  return statuses[1 + (lot % 3)];
}

/** The status of a match in a round that is drawn: only the last one of a tournament in progress is being played. */
function bracketStatus({ status, rounds }: TournamentFacts, round: number): MatchStatus {
  switch (status) {
    case 'finished':
      return 'FINISHED';
    case 'started':
      return round === Math.max(1, rounds - 1) ? 'ONGOING' : 'FINISHED';
    case 'cancelled':
      return 'CANCELLED';
    default:
      return 'SCHEDULED';
  }
}

/** The possible status of a championship's match; null before there are any. */
function possibleStatus({ status }: ChampionshipFacts, wanted: MatchStatus): MatchStatus | null {
  switch (status) {
    case 'join':
      return null;
    case 'upcoming':
      return 'SCHEDULED';
    case 'cancelled':
      return 'CANCELLED';
    case 'finished':
      return wanted === 'CANCELLED' ? 'CANCELLED' : 'FINISHED';
    default:
      return wanted;
  }
}
