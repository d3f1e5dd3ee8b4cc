import { Leaderboard } from '@podium/messages';
import { documentOf, WorldDocument } from './document';
import { memberOf } from '../members';
import { PlayerFacts } from '../players';
import { Random } from '../random';
import { ratio } from '../statistics';

/** What leaderboards differ in. */
export type LeaderboardFacts = Pick<
  Leaderboard,
  | 'competition_id'
  | 'competition_type'
  | 'end_date'
  | 'game_id'
  | 'group'
  | 'leaderboard_id'
  | 'leaderboard_name'
  | 'leaderboard_type'
  | 'ranking_type'
  | 'region'
  | 'season'
  | 'start_date'
  | 'status'
>;

/** How a player fared in a competition. */
export interface PlayRecord {
  readonly played: number;
  readonly won: number;
}

const pointsPerWin = 25;
const pointsPerLoss = -20;
const startingPoints = 1000;

/** A leaderboard's document. */
export function leaderboardDocument(facts: LeaderboardFacts): WorldDocument {
  return documentOf(
    'leaderboard',
    facts.leaderboard_id,
    {
      ...facts,
      leaderboard_mode: 'classic',
      min_matches: 3,
      points_per_draw: 0,
      points_per_loss: pointsPerLoss,
      points_per_win: pointsPerWin,
      points_type: 'flat',
      ranking_boost: 0,
      round: 0,
      starting_points: startingPoints,
    },
    {},
  );
}

/** A player's points in a leaderboard; equal records have equal points. */
export function entryDocument(
  leaderboardId: string,
  player: PlayerFacts,
  { played, won }: PlayRecord,
  random: Random,
): WorldDocument {
  const lost = played - won;
  return documentOf(
    'leaderboard-entry',
    `${leaderboardId}:${player.id}`,
    {
      current_streak: won === 0 ? 0 : random.below(Math.min(won, 6)),
      draw: 0,
      lost,
      played,
      player: memberOf(player, player.rating.level),
      points: startingPoints + won * pointsPerWin + lost * pointsPerLoss,
      win_rate: Number(ratio(won, played)),
      won,
    },
    { leaderboard_id: leaderboardId },
  );
}

/** A believable record. */
export function drawRecord(random: Random): PlayRecord {
  const played = 1 + random.skewed(120);
  return { played, won: Math.round((played * random.between(30, 70)) / 100) };
}
