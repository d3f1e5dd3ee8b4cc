import { list, map, object, resource, strings } from './shape';

/* Matchmakings and queues, field by field, from the text of the specification and not from our schemas. */

export const Matchmaking = resource('Matchmaking', {
  game: 'string',
  icon: 'url',
  id: 'uuid',
  league_id: 'uuid or empty',
  long_description: 'string',
  name: 'string',
  region: 'string',
  short_description: 'string',
  queues: list(object({ id: 'hex24', name: 'string', organizer_id: 'string', open: 'boolean', paused: 'boolean' })),
});

export const MatchmakingListItem = resource('MatchmakingListItem', {
  game: 'string',
  id: 'uuid',
  name: 'string',
  region: 'string',
  has_league: 'boolean',
});

const queue = {
  entityId: 'uuid',
  entityType: 'string',
  game: 'string',
  id: 'hex24',
  organizerId: 'string',
  queueName: 'string',
  region: 'string',
  state: 'string',
  lastModified: 'date-time',
  open: 'boolean',
} as const;

export const QueueSummary = resource('QueueSummary', queue);

export const QueueDetails = resource('QueueDetails', {
  ...queue,
  adminTool: 'boolean',
  anticheatRequired: 'boolean',
  calculateElo: 'boolean',
  fbiManagement: 'boolean',
  groupSimilar: 'boolean',
  paused: 'boolean',
  verifiedMatching: 'boolean',
  captainSelection: 'string',
  checkIn: object({ time: 'integer' }),
  joinType: object({ maxParty: 'integer', party: 'boolean', premade: 'boolean', solo: 'boolean' }),
  maxSkill: 'integer',
  minSkill: 'integer',
  noOfPlayers: 'integer',
  queueAlgorithm: object({
    algorithmId: 'string',
    algorithmInput: strings,
    algorithmParameters: object({ band: object({ value: 'integer' }) }),
    geoDescription: map('string'),
    geoLabel: map('string'),
    id: 'uuid',
    roleBasedCaptainPick: 'boolean',
  }),
});

export const QueueBan = resource('QueueBan', {
  banEnd: 'date-time',
  banStart: 'date-time',
  createdAt: 'date-time',
  lastModified: 'date-time',
  banId: 'uuid',
  entityId: 'uuid',
  entityType: 'string',
  nickname: 'string',
  organizerId: 'string',
  queueId: 'hex24',
  reason: 'string',
  type: 'string',
  userId: 'uuid',
  expired: 'boolean',
  version: 'integer',
});
