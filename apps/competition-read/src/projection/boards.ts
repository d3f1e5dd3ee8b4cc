import { recordKey } from '@podium/messages';

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
