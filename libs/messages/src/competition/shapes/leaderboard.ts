import { Static, Type } from '@sinclair/typebox';
import { rankedFields } from './added-fields';
import { epochSeconds, id, int32, integer, name, text, word } from './fields';
import { TeamMember } from './team';

/** A leaderboard of a championship or a hub. */
export const Leaderboard = Type.Object(
  {
    competition_id: id('The championship or hub'),
    competition_type: word('Known: championship, hub'),
    end_date: epochSeconds('End'),
    game_id: id('Game id'),
    group: int32('Group of the championship; 0 where there are none'),
    leaderboard_id: id('24 hex characters'),
    leaderboard_mode: word('Known: classic'),
    leaderboard_name: name('Name'),
    leaderboard_type: word('Known: championship, hub_season, hub_general, event'),
    min_matches: integer('Matches before a player is ranked'),
    points_per_draw: integer('Points of a draw'),
    points_per_loss: integer('Points of a loss'),
    points_per_win: integer('Points of a win'),
    points_type: word('Known: flat'),
    ranking_boost: integer('Boost of the first matches'),
    ranking_type: word('Known: team, solo'),
    region: word('Region'),
    round: integer('Round of the championship; 0 where there are none'),
    season: int32('Season of the hub; 0 where there are none'),
    start_date: epochSeconds('Start'),
    starting_points: integer('Points at the start'),
    status: word('Known: ONGOING, FINISHED'),
  },
  { description: 'A leaderboard of a championship or a hub' },
);
export type Leaderboard = Static<typeof Leaderboard>;

/** A player's position in a leaderboard. */
export const RankingEntry = Type.Object(
  {
    current_streak: integer('Wins in a row'),
    draw: integer('Matches drawn'),
    lost: integer('Matches lost'),
    played: integer('Matches played'),
    player: TeamMember,
    points: int32('Points; more is better'),
    position: Type.Integer({ minimum: 1, description: 'Place, 1-based' }),
    win_rate: Type.Number({ description: 'Part of matches won; may have a fraction' }),
    won: integer('Matches won'),
  },
  { description: "A player's place in a leaderboard" },
);
export type RankingEntry = Static<typeof RankingEntry>;

/** A leaderboard entry as stored: the position is derived from all points. */
export const StoredRankingEntry = Type.Omit(RankingEntry, rankedFields, {
  description: 'A ranking entry without its place',
});
export type StoredRankingEntry = Static<typeof StoredRankingEntry>;

/** A player's position in the global ranking of a game in a region, or in a country of it. */
export const GlobalRankingItem = Type.Object(
  {
    country: text('ISO 3166-1 code, lower case'),
    platform_elo: int32('Rating; more is better'),
    game_skill_level: integer('Level in the game'),
    nickname: name('Nickname'),
    player_id: id('UUID'),
    position: Type.Integer({ minimum: 1, description: 'Place, 1-based; inside the country where one is given' }),
  },
  { description: "A player's place in the global ranking" },
);
export type GlobalRankingItem = Static<typeof GlobalRankingItem>;

/** An entry of the global ranking as stored: the position is derived from all ratings. */
export const StoredGlobalRankingItem = Type.Omit(GlobalRankingItem, rankedFields, {
  description: 'An entry of the global ranking without its place',
});
export type StoredGlobalRankingItem = Static<typeof StoredGlobalRankingItem>;
