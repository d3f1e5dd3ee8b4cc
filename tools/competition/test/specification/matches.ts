import { list, map, notPlayed, object, resource, sometimes, urls } from './shape';

/* Matches and the matches of a player, field by field, from the text of the specification and not from our schemas. */

const rosterPlayer = {
  anticheat_required: 'boolean',
  avatar: 'url',
  game_player_id: 'string',
  game_player_name: 'string',
  membership: 'string',
  nickname: 'string',
  player_id: 'uuid',
  game_skill_level: 'integer',
} as const;

const MatchTeam = resource('MatchTeam', {
  avatar: 'url',
  faction_id: 'uuid',
  leader: 'uuid',
  name: 'string',
  type: 'string',
  roster: list(resource('RosterPlayer', rosterPlayer)),
  roster_v1: 'null',
  stats: object({
    rating: 'integer',
    skillLevel: object({ average: 'integer', range: object({ max: 'integer', min: 'integer' }) }),
    winProbability: 'integer',
  }),
  substituted: 'boolean',
  substitutes: list(resource('Substitute', { ...rosterPlayer, playing: 'boolean' })),
});

export const results = object({ score: map('integer'), winner: 'string' });

export const Match = resource('Match', {
  best_of: 'integer',
  broadcast_start_time: sometimes('seconds', 'omitted where the match is not broadcast'),
  broadcast_start_time_label: sometimes('string', 'omitted where the match is not broadcast'),
  calculate_elo: 'boolean',
  chat_room_id: 'string',
  competition_id: 'uuid',
  competition_name: 'string',
  competition_type: 'string',
  configured_at: sometimes('seconds', notPlayed),
  demo_url: sometimes(urls, notPlayed),
  detailed_results: sometimes(
    list(object({ asc_score: 'boolean', factions: map(object({ score: 'integer' })), winner: 'string' })),
    notPlayed,
  ),
  platform_url: 'url',
  finished_at: sometimes('seconds', notPlayed),
  game: 'string',
  group: 'integer',
  instances: list(object({ demos: urls, id: 'uuid', round: 'integer' })),
  match_id: 'match id',
  organizer_id: 'string',
  region: 'string',
  results: sometimes(results, notPlayed),
  round: 'integer',
  scheduled_at: sometimes('seconds', 'omitted where nobody planned the match'),
  started_at: sometimes('seconds', notPlayed),
  status: 'string',
  teams: map(MatchTeam),
  version: 'integer',
  voting: sometimes(object({}), notPlayed),
});

export const PlayerMatch = resource('PlayerMatch', {
  competition_id: 'uuid',
  competition_name: 'string',
  competition_type: 'string',
  platform_url: 'url',
  game_id: 'string',
  game_mode: 'string',
  match_id: 'match id',
  match_type: 'string',
  organizer_id: 'string',
  region: 'string',
  status: 'string',
  finished_at: 'seconds',
  started_at: 'seconds',
  max_players: 'integer',
  teams_size: 'integer',
  playing_players: list('uuid'),
  results,
  teams: map(
    object({
      avatar: 'url',
      nickname: 'string',
      team_id: 'uuid',
      type: 'string',
      players: list(
        object({
          avatar: 'url',
          platform_url: 'url',
          game_player_id: 'string',
          game_player_name: 'string',
          nickname: 'string',
          player_id: 'uuid',
          skill_level: 'integer',
        }),
      ),
    }),
  ),
});
