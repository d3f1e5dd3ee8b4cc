import { empty, list, map, object, resource, strings } from './shape';

/* Players and their bans, field by field, from the text of the specification and not from our schemas. */

export const Player = resource('Player', {
  activated_at: 'date-time',
  avatar: 'url',
  country: 'string',
  cover_featured_image: 'url',
  cover_image: 'url',
  platform_url: 'url',
  membership_type: 'string',
  new_steam_id: 'string',
  nickname: 'string',
  player_id: 'uuid',
  steam_id_64: 'string',
  steam_nickname: 'string',
  friends_ids: list('uuid'),
  games: map(
    resource('PlayerGame', {
      platform_elo: 'integer',
      game_player_id: 'string',
      game_player_name: 'string',
      game_profile_id: 'string',
      region: 'string',
      skill_level_label: 'string',
      // Null in the shape; the design makes it {}.
      regions: empty(map('anything'), 'the world has players ranked in one region only'),
      skill_level: 'integer',
    }),
  ),
  // Null in the shape; the design makes it {}.
  infractions: empty(map('anything'), 'what it holds is not specified'),
  memberships: strings,
  platforms: map('string'),
  settings: object({ language: 'string' }),
  verified: 'boolean',
});

export const PlayerBan = resource('PlayerBan', {
  ends_at: 'date-time',
  starts_at: 'date-time',
  game: 'string',
  nickname: 'string',
  reason: 'string',
  type: 'string',
  user_id: 'uuid',
});
