import { Match, MatchStats, PlayerMatch, recordKey, storedText } from '@podium/messages';
import type { ContentOf } from './document-content';
import { ListingRows } from './listing-rows';
import { playerRounds } from './player-rounds';
import type { Projection } from './projection';
import { projectionOf } from './projection-of';
import { typeClass } from './type-class';

/** A match stands in the list of its competition, by its state. */
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

/** A match stands in the history of all who played it, by game. */
export function projectMatchHistory({ id, document }: ContentOf<'match-history'>): Projection {
  const listings = new ListingRows();
  const place = { filters: [document.game_id], whole: false, sort: document.finished_at, id };
  for (const playerId of document.playing_players) listings.add('historyOfPlayer', { owner: playerId, ...place });
  return projectionOf(storedText(PlayerMatch, document), { listings: listings.rows });
}

/** Each round stands with a body of its own in the statistics of all who played it, by game. */
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
