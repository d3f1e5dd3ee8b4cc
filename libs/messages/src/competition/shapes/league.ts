import { Static, Type } from '@sinclair/typebox';
import { rankedFields } from './added-fields';
import { dateTime, id, image, int32, integer, text, texts, word } from './fields';

/** A season of a league. */
export const Season = Type.Object(
  {
    end_date: dateTime('End'),
    number: int32('Number of the season'),
    placement_match_count: integer('Matches before a player is placed'),
    start_date: dateTime('Start'),
  },
  { description: 'A season of a league' },
);

/** A division of a league. */
export const Division = Type.Object(
  {
    assets: Type.Object({ color: text('Such as #ff5500'), icon: image('Icon'), image: image('Picture') }),
    config_type: word('Kind of configuration'),
    leaderboard_config: Type.Object({
      max_players: integer('Players of a leaderboard'),
      points_per_loss: integer('Points of a loss'),
      points_per_win: integer('Points of a win'),
      promotion: Type.Object({ points: integer('Points that promote') }),
      relegation: Type.Object({ consecutive_losses: integer('Losses in a row that relegate') }),
      starting_points: integer('Points at the start'),
    }),
    leaderboards: texts('Leaderboard ids'),
    max_elo: integer('Highest rating'),
    min_elo: integer('Lowest rating'),
    name: text('Name'),
    tiers: Type.Array(
      Type.Object({ name: text('Name'), points_target: integer('Points that reach it'), rank: integer('Order') }),
    ),
    type: word('Kind of division'),
  },
  { description: 'A division of a league' },
);

/** A league with its current season. */
export const League = Type.Object(
  {
    divisions: Type.Array(Division),
    game: id('Game id'),
    id: id('The league'),
    min_matches: integer('Matches before a player is ranked'),
    region: word('Region'),
    season: Season,
  },
  { description: 'A league with its present season' },
);
export type League = Static<typeof League>;

/** One season of a league. */
export const LeagueSeason = Type.Object(
  { divisions: Type.Array(Division), season: Season },
  { description: 'One season of a league' },
);
export type LeagueSeason = Static<typeof LeagueSeason>;

/** A player's position in a season of a league. */
export const LeaguePlayer = Type.Object(
  {
    division_name: text('Division'),
    division_tier: text('Tier of the division'),
    division_type: text('Kind of the division'),
    leaderboard_id: text('Leaderboard of the division'),
    points: int32('Points; more is better'),
    position: Type.Integer({ minimum: 1, description: 'Place in the season, 1-based' }),
  },
  { description: "A player's place in a season of a league" },
);
export type LeaguePlayer = Static<typeof LeaguePlayer>;

/** A league player as stored: the position is derived from all points. */
export const StoredLeaguePlayer = Type.Omit(LeaguePlayer, rankedFields, {
  description: 'A league player without the place',
});
export type StoredLeaguePlayer = Static<typeof StoredLeaguePlayer>;
