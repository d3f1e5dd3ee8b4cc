import { list, map, notSet, object, resource, sometimes, strings, whereAsked } from './shape';

/* Games, organizers, championships, teams and hubs, field by field, from the text of the specification and not from our schemas. */

export const Game = resource('Game', {
  assets: object({
    cover: 'url',
    featured_img_l: 'url',
    featured_img_m: 'url',
    featured_img_s: 'url',
    flag_img_icon: 'url',
    flag_img_l: 'url',
    flag_img_m: 'url',
    flag_img_s: 'url',
    landing_page: 'url',
  }),
  game_id: 'string',
  long_label: 'string',
  order: 'integer',
  parent_game_id: 'string',
  platforms: strings,
  regions: strings,
  short_label: 'string',
});

export const Organizer = resource('Organizer', {
  avatar: 'url',
  cover: 'url',
  description: 'string',
  facebook: 'url',
  platform_url: 'url',
  name: 'string',
  organizer_id: 'string',
  twitch: 'url',
  twitter: 'url',
  type: 'string',
  vk: 'url',
  website: 'url',
  youtube: 'url',
  followers_count: 'integer',
});

export const Championship = resource('Championship', {
  anticheat_required: 'boolean',
  avatar: 'url',
  background_image: 'url',
  cover_image: 'url',
  description: 'string',
  platform_url: 'url',
  championship_id: 'uuid',
  championship_start: 'milliseconds',
  checkin_clear: 'milliseconds',
  checkin_enabled: 'boolean',
  checkin_start: 'milliseconds',
  current_subscriptions: 'integer',
  featured: 'boolean',
  full: 'boolean',
  game_data: sometimes(Game, whereAsked),
  game_id: 'string',
  id: 'uuid',
  join_checks: object({
    allowed_team_types: strings,
    blacklist_geo_countries: strings,
    join_policy: 'string',
    max_skill_level: 'integer',
    membership_type: 'string',
    min_skill_level: 'integer',
    whitelist_geo_countries: strings,
    whitelist_geo_countries_min_players: 'integer',
  }),
  name: 'string',
  organizer_data: sometimes(Organizer, whereAsked),
  organizer_id: 'string',
  prizes: list(object({ platform_points: 'integer', rank: 'integer' })),
  region: 'string',
  rules_id: 'uuid',
  schedule: map(object({ date: 'milliseconds', status: 'string' })),
  screening: sometimes(object({ enabled: 'boolean', id: 'uuid' }), notSet),
  seeding_strategy: 'string',
  slots: 'integer',
  status: 'string',
  stream: object({ active: 'boolean', platform: 'string', source: 'string', title: 'string' }),
  subscription_end: 'milliseconds',
  subscription_start: 'milliseconds',
  subscriptions_locked: 'boolean',
  substitution_configuration: object({ max_substitutes: 'integer', max_substitutions: 'integer' }),
  total_groups: 'integer',
  total_prizes: 'integer',
  total_rounds: 'integer',
  type: 'string',
});

export const ChampionshipResult = resource('ChampionshipResult', {
  bounds: object({ left: 'integer', right: 'integer' }),
  placements: list(object({ id: 'uuid', name: 'string', type: 'string' })),
});

export const TeamMember = resource('TeamMember', {
  country: 'string',
  platform_url: 'url',
  membership_type: 'string',
  memberships: strings,
  nickname: 'string',
  skill_level: 'integer',
  user_id: 'uuid',
});

export const Team = resource('Team', {
  chat_room_id: 'string',
  description: 'string',
  game: 'string',
  leader: 'uuid',
  name: 'string',
  nickname: 'string',
  team_id: 'uuid',
  team_type: 'string',
  members: list(TeamMember),
});

export const Subscription = resource('Subscription', {
  coach: 'uuid or empty',
  coleader: 'uuid or empty',
  leader: 'uuid',
  group: 'integer',
  roster: list('uuid'),
  status: 'string',
  substitutes: list('uuid'),
  team: Team,
});

export const Hub = resource('Hub', {
  avatar: 'url',
  background_image: 'url',
  chat_room_id: 'string',
  cover_image: 'url',
  description: 'string',
  platform_url: 'url',
  game_data: sometimes(Game, whereAsked),
  game_id: 'string',
  hub_id: 'uuid',
  join_permission: 'string',
  max_skill_level: 'integer',
  min_skill_level: 'integer',
  name: 'string',
  organizer_data: sometimes(Organizer, whereAsked),
  organizer_id: 'string',
  players_joined: 'integer',
  region: 'string',
  rule_id: 'uuid',
});

export const HubMember = resource('HubMember', {
  avatar: 'url',
  platform_url: 'url',
  nickname: 'string',
  user_id: 'uuid',
  roles: list('uuid'),
});

export const HubRole = resource('HubRole', {
  color: 'string',
  name: 'string',
  role_id: 'uuid',
  ranking: 'integer',
  visible_on_chat: 'boolean',
});
