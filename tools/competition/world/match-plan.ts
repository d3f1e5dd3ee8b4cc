import { MatchResults } from '@podium/messages';
import { GameRow } from './games';
import { factionKey, SideIndex } from './match-ids';
import { MatchSide } from './match-sides';

/** State of a match. */
export type MatchStatus = 'SCHEDULED' | 'VOTING' | 'CONFIGURING' | 'READY' | 'ONGOING' | 'FINISHED' | 'CANCELLED';

/** The competition of a match. */
export interface MatchCompetition {
  readonly type: 'championship' | 'hub' | 'matchmaking' | 'tournament';
  readonly id: string;
  readonly name: string;
  readonly organizerId: string;
  readonly region: string;
  readonly isAnticheatRequired: boolean;
}

/** Times at which a match reached its states, Unix seconds; those of later states are missing. */
export interface MatchTimes {
  readonly scheduledS?: number;
  readonly configuredS?: number;
  readonly startedS?: number;
  readonly finishedS?: number;
}

/** A game of a finished match. */
export interface PlayedGame {
  readonly map: string;
  readonly winner: SideIndex;
  /** Rounds won by each side. */
  readonly scores: readonly [number, number];
}

/** Sides, competition and times of a match. */
export interface Fixture {
  readonly competition: MatchCompetition;
  readonly game: GameRow;
  readonly status: MatchStatus;
  /** From 1; 0 if the competition has none. */
  readonly group: number;
  readonly round: number;
  readonly bestOf: 1 | 3;
  readonly sides: readonly [MatchSide, MatchSide];
  readonly times: MatchTimes;
  readonly isBroadcast?: boolean;
}

/** Facts that all documents about one match share. */
export interface MatchPlan extends Fixture {
  readonly index: number;
  readonly id: string;
  readonly winner: SideIndex;
  /** Empty unless it is finished. */
  readonly games: readonly PlayedGame[];
}

/** The outcome of a finished match in games won, else null. */
export function resultsOf({ games, winner }: Pick<MatchPlan, 'games' | 'winner'>): MatchResults | null {
  if (games.length === 0) return null;
  const first = games.filter((game) => game.winner === 0).length;
  return { score: { faction1: first, faction2: games.length - first }, winner: factionKey(winner) };
}
