import { recordKey } from '@podium/messages';

/** An entry of a ranking; unique by (board, playerId). A read adds its position. */
export interface BoardEntry {
  readonly board: string;
  /** A 32-bit signed integer; more is better, equal scores are ordered by player id. */
  readonly score: number;
  readonly playerId: string;
  /** Stored text without `position`; an object that is not empty. */
  readonly body: string;
}

/** The ranking of all players of a game in a region, or of those of one country there. */
export function globalBoard(game: string, region: string, country?: string): string {
  return country === undefined
    ? recordKey('global', game, region)
    : recordKey('global', game, region, country.toLowerCase());
}

/** The ranking of a leaderboard. */
export function leaderboardBoard(leaderboardId: string): string {
  return recordKey('leaderboard', leaderboardId);
}

/** The ranking of a season of a league. */
export function leagueBoard(leagueId: string, season: number): string {
  return recordKey('league', leagueId, String(season));
}
