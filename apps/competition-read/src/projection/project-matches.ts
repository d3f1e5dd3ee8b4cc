import { Match, MatchStats, PlayerMatch, recordKey, storedText } from '@podium/messages';
import type { ContentOf } from './document-content';
import { ListingRows } from './listing-rows';
import { playerRounds } from './player-rounds';
import { Projection, projectionOf } from './projection';
import { typeClass } from './type-class';

/** A match is in the list of its competition, filtered by status. */
export function projectMatch({ id, document }: ContentOf<'match'>): Projection {
  const { competition_type, competition_id, started_at, scheduled_at, configured_at } = document;
  const listings = new ListingRows().add('matchesOfCompetition', {
    owner: recordKey(competition_type, competition_id),
    filters: [typeClass('match', document.status)],
    sort: started_at ?? scheduled_at ?? configured_at ?? 0,
    id,
  });
  return projectionOf(storedText(Match, document), { listings: listings.rows });
}

/** A match is in the history of each of its players, by game. */
export function projectMatchHistory({ id, document }: ContentOf<'match-history'>): Projection {
  const listings = new ListingRows();
  const place = { filters: [document.game_id], whole: false, sort: document.finished_at, id };
  for (const playerId of document.playing_players) listings.add('historyOfPlayer', { owner: playerId, ...place });
  return projectionOf(storedText(PlayerMatch, document), { listings: listings.rows });
}

/** Each round is in the statistics of each of its players, by game, with a body per player. */
export function projectMatchStats({ id, document, beside }: ContentOf<'match-stats'>): Projection {
  const listings = new ListingRows();
  const finishedAtMs = beside.finished_at * 1000;
  for (const round of document.rounds) {
    const place = { filters: [round.game_id], whole: false, sort: finishedAtMs, id: recordKey(id, round.match_round) };
    for (const { playerId, body } of playerRounds(round, finishedAtMs))
      listings.add('matchStatsOfPlayer', { owner: playerId, ...place, body });
  }
  return projectionOf(storedText(MatchStats, document), { listings: listings.rows });
}
