import { Leaderboard } from '@podium/messages';
import { documentOf, WorldDocument } from './document';
import { memberOf } from '../members';
import { PlayerFacts } from '../players';
import { Random } from '../random';
import { ratio } from '../statistics';

/** Fields in which leaderboards differ. */
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
> &
  Partial<Pick<Leaderboard, 'min_matches' | 'round' | 'starting_points'>>;

/** A player's record in a competition. */
export interface PlayRecord {
  readonly played: number;
  readonly won: number;
  /** The last matches won in a row. */
  readonly streak: number;
}

/** Points of every leaderboard. */
export const pointsPerWin = 25;
export const pointsPerLoss = -20;

const startingPoints = 1000;
const minMatches = 3;

/** A leaderboard's document. */
export function leaderboardDocument(facts: LeaderboardFacts): WorldDocument {
  return documentOf(
    'leaderboard',
    facts.leaderboard_id,
    {
      leaderboard_mode: 'classic',
      min_matches: minMatches,
      points_per_draw: 0,
      points_per_loss: pointsPerLoss,
      points_per_win: pointsPerWin,
      points_type: 'flat',
      ranking_boost: 0,
      round: 0,
      starting_points: startingPoints,
      ...facts,
    },
    {},
  );
}

/** A player's points in a leaderboard, those of the record unless others are given; equal records have equal points. */
export function entryDocument(
  leaderboardId: string,
  player: PlayerFacts,
  { played, won, streak }: PlayRecord,
  points = startingPoints + pointsOf(played, won),
): WorldDocument {
  return documentOf(
    'leaderboard-entry',
    `${leaderboardId}:${player.id}`,
    {
      current_streak: streak,
      draw: 0,
      lost: played - won,
      played,
      player: memberOf(player, player.rating.level),
      points,
      win_rate: Number(ratio(won, played)),
      won,
    },
    { leaderboard_id: leaderboardId },
  );
}

/** A plausible record of a player with enough matches to be ranked. */
export function drawRecord(random: Random, mostPlayed = 120): PlayRecord {
  const played = minMatches + random.skewed(mostPlayed - minMatches + 1);
  const won = Math.round((played * random.between(30, 70)) / 100);
  return { played, won, streak: drawStreak(won, random) };
}

/** A plausible number of consecutive wins. */
export function drawStreak(won: number, random: Random): number {
  return random.below(Math.min(won + 1, 6));
}

/** Points from matches. */
export function pointsOf(played: number, won: number): number {
  return won * pointsPerWin + (played - won) * pointsPerLoss;
}
