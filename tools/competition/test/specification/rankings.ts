import { TeamMember } from './competitions';
import { list, object, resource } from './shape';

/* Leaderboards, rankings and leagues, field by field, from the text of the specification and not from our schemas. */

export const Leaderboard = resource('Leaderboard', {
  competition_id: 'uuid',
  competition_type: 'string',
  game_id: 'string',
  leaderboard_id: 'hex24',
  leaderboard_mode: 'string',
  leaderboard_name: 'string',
  leaderboard_type: 'string',
  points_type: 'string',
  ranking_type: 'string',
  region: 'string',
  status: 'string',
  end_date: 'seconds',
  start_date: 'seconds',
  group: 'integer',
  min_matches: 'integer',
  points_per_draw: 'integer',
  points_per_loss: 'integer',
  points_per_win: 'integer',
  ranking_boost: 'integer',
  round: 'integer',
  season: 'integer',
  starting_points: 'integer',
});

export const RankingEntry = resource('RankingEntry', {
  current_streak: 'integer',
  draw: 'integer',
  lost: 'integer',
  played: 'integer',
  points: 'integer',
  position: 'integer',
  // The design lets it have a fraction.
  win_rate: 'number',
  won: 'integer',
  player: TeamMember,
});

const Season = resource('Season', {
  end_date: 'date-time',
  start_date: 'date-time',
  number: 'integer',
  placement_match_count: 'integer',
});

const Division = resource('Division', {
  assets: object({ color: 'string', icon: 'url', image: 'url' }),
  config_type: 'string',
  leaderboard_config: object({
    max_players: 'integer',
    points_per_loss: 'integer',
    points_per_win: 'integer',
    promotion: object({ points: 'integer' }),
    relegation: object({ consecutive_losses: 'integer' }),
    starting_points: 'integer',
  }),
  leaderboards: list('hex24'),
  max_elo: 'integer',
  min_elo: 'integer',
  name: 'string',
  tiers: list(object({ name: 'string', points_target: 'integer', rank: 'integer' })),
  type: 'string',
});

export const League = resource('League', {
  divisions: list(Division),
  game: 'string',
  id: 'uuid',
  min_matches: 'integer',
  region: 'string',
  season: Season,
});

export const LeagueSeason = resource('LeagueSeason', { divisions: list(Division), season: Season });

export const LeaguePlayer = resource('LeaguePlayer', {
  division_name: 'string',
  division_tier: 'string',
  division_type: 'string',
  leaderboard_id: 'hex24',
  points: 'integer',
  position: 'integer',
});

export const GlobalRankingItem = resource('GlobalRankingItem', {
  country: 'string',
  nickname: 'string',
  player_id: 'uuid',
  platform_elo: 'integer',
  game_skill_level: 'integer',
  position: 'integer',
});
