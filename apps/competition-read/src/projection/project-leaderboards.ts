import {
  Leaderboard,
  League,
  LeagueSeason,
  StoredLeaguePlayer,
  StoredRankingEntry,
  storedText,
  recordKey,
  rankedFields,
} from '@podium/messages';
import { leaderboardBoard, leagueBoard } from '../rankings/boards';
import type { ContentOf } from './document-content';
import { ListingRows } from './listing-rows';
import { Projection, projectionOf } from './projection';
import { withoutAdded } from './without-added';

/** A leaderboard is in the list of its competition, and under a filter that identifies it there. */
export function projectLeaderboard({ id, document }: ContentOf<'leaderboard'>): Projection {
  const { competition_type, competition_id, start_date } = document;
  const listings = new ListingRows().add('leaderboards', {
    owner: recordKey(competition_type, competition_id),
    filters: [leaderboardFilter(document)],
    sort: start_date,
    id,
  });
  return projectionOf(storedText(Leaderboard, document), { listings: listings.rows });
}

/** An entry is ranked in its leaderboard by its points. */
export function projectLeaderboardEntry({ document, beside }: ContentOf<'leaderboard-entry'>): Projection {
  const body = storedText(StoredRankingEntry, withoutAdded(document, rankedFields));
  const board = leaderboardBoard(beside.leaderboard_id);
  const playerId = document.player.user_id;
  return projectionOf(body, { boards: [{ board, score: document.points, playerId, body }] });
}

/** A league is read by its id and is in no list. */
export function projectLeague({ document }: ContentOf<'league'>): Projection {
  return projectionOf(storedText(League, document));
}

/** A season is read by the ids of its league and its number and is in no list. */
export function projectLeagueSeason({ document }: ContentOf<'league-season'>): Projection {
  return projectionOf(storedText(LeagueSeason, document));
}

/** A league player is ranked in the season by points. */
export function projectLeaguePlayer({ document, beside }: ContentOf<'league-player'>): Projection {
  const body = storedText(StoredLeaguePlayer, withoutAdded(document, rankedFields));
  const board = leagueBoard(beside.league_id, beside.season_id);
  const playerId = beside.player_id;
  return projectionOf(body, { boards: [{ board, score: document.points, playerId, body }] });
}

/** `general` or `season:<n>` in a hub, `group:<n>` in a championship. */
function leaderboardFilter({ leaderboard_type, competition_type, season, group }: Leaderboard): string | null {
  if (leaderboard_type === 'hub_general') return 'general';
  if (leaderboard_type === 'hub_season') return `season:${season}`;
  return competition_type === 'championship' ? `group:${group}` : null;
}
