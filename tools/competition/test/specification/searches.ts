import { list, object, resource, strings } from './shape';

/* What searches find, field by field, from the text of the specification and not from our schemas. */

export const CompetitionSearchItem = resource('CompetitionSearchItem', {
  competition_id: 'uuid',
  competition_type: 'string',
  game: 'string',
  name: 'string',
  organizer_id: 'string',
  organizer_name: 'string',
  organizer_type: 'string',
  prize_type: 'string',
  region: 'string',
  status: 'string',
  total_prize: 'string',
  number_of_members: 'integer',
  players_checkedin: 'integer',
  players_joined: 'integer',
  slots: 'integer',
  // A hub has no start.
  started_at: 'seconds or 0',
});

export const ClanSearchItem = resource('ClanSearchItem', {
  game: 'string',
  id: 'uuid',
  join: 'string',
  name: 'string',
  organizer_id: 'string',
  region: 'string',
  type: 'string',
  last_match_finished: 'date-time',
  matches_count_24h: 'integer',
  max_skill_level: 'integer',
  members_count: 'integer',
  members_count_24h: 'integer',
  min_skill_level: 'integer',
});

export const OrganizerSearchItem = resource('OrganizerSearchItem', {
  active: 'boolean',
  avatar: 'url',
  name: 'string',
  organizer_id: 'string',
  countries: strings,
  games: strings,
  regions: strings,
  partner: 'boolean',
});

export const PlayerSearchItem = resource('PlayerSearchItem', {
  avatar: 'url',
  country: 'string',
  nickname: 'string',
  player_id: 'uuid',
  status: 'string',
  games: list(object({ name: 'string', skill_level: 'string' })),
  verified: 'boolean',
});

export const TeamSearchItem = resource('TeamSearchItem', {
  avatar: 'url',
  chat_room_id: 'string',
  platform_url: 'url',
  game: 'string',
  name: 'string',
  team_id: 'uuid',
  verified: 'boolean',
});
