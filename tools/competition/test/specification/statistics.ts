import { list, map, object, resource } from './shape';

/* "Statistics shapes" of the specification; the keys of its maps are not shown there. */

const statistics = map('anything');

export const PlayerStats = resource('PlayerStats', {
  game_id: 'string',
  player_id: 'uuid',
  lifetime: statistics,
  segments: list(statistics),
});

export const TeamStats = resource('TeamStats', {
  game_id: 'string',
  team_id: 'uuid',
  lifetime: statistics,
  segments: list(statistics),
});

export const HubStats = resource('HubStats', {
  game_id: 'string',
  players: list(object({ nickname: 'string', player_id: 'uuid', stats: statistics })),
});

export const PlayerMatchStats = resource('PlayerMatchStats', { stats: statistics });

export const MatchStats = resource('MatchStats', {
  rounds: list(
    // Values are null in the shape; the design makes them texts, and premade a boolean.
    object({
      best_of: 'string',
      competition_id: 'uuid',
      game_id: 'string',
      game_mode: 'string',
      match_id: 'match id',
      match_round: 'string',
      played: 'string',
      round_stats: map('string'),
      teams: list(
        object({
          players: list(object({ nickname: 'string', player_id: 'uuid', player_stats: map('string') })),
          premade: 'boolean',
          team_id: 'uuid',
          team_stats: map('string'),
        }),
      ),
    }),
  ),
});
