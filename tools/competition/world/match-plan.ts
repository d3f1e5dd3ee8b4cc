import { MatchResults } from '@podium/messages';
import { GameRow } from './games';
import { factionKey, SideIndex } from './match-ids';
import { MatchSide } from './match-sides';

/** State of a match. */
export type MatchStatus = 'SCHEDULED' | 'VOTING' | 'CONFIGURING' | 'READY' | 'ONGOING' | 'FINISHED' | 'CANCELLED';

/** What a match is played in. */
export interface MatchCompetition {
  readonly type: 'championship' | 'hub' | 'matchmaking' | 'tournament';
  readonly id: string;
  readonly name: string;
  readonly organizerId: string;
  readonly region: string;
  readonly isAnticheatRequired: boolean;
}

/** When a match came to its states, Unix seconds; what it has not come to is missing. */
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

/** Who plays whom, in what and when. */
export interface Fixture {
  readonly competition: MatchCompetition;
  readonly game: GameRow;
  readonly status: MatchStatus;
  /** From 1; 0 where the competition has none. */
  readonly group: number;
  readonly round: number;
  readonly bestOf: 1 | 3;
  readonly sides: readonly [MatchSide, MatchSide];
  readonly times: MatchTimes;
  readonly isBroadcast?: boolean;
}

/** All that the documents about one match have in common. */
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
