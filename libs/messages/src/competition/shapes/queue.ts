import { Static, Type } from '@sinclair/typebox';
import { dateTime, id, integer, mapOf, name, text, texts, word } from './fields';

const common = {
  entityId: id('What the queue belongs to'),
  entityType: word('Kind of that'),
  game: id('Game id'),
  id: id('24 hex characters'),
  lastModified: dateTime('Last change'),
  open: Type.Boolean(),
  organizerId: id('Who owns it'),
  queueName: name('Name'),
  region: word('Region'),
  state: word('State'),
};

/** A queue in a list. */
export const QueueSummary = Type.Object(common, { description: 'A queue in a list' });
export type QueueSummary = Static<typeof QueueSummary>;

/** A queue with its matchmaking settings. */
export const QueueDetails = Type.Object(
  {
    ...common,
    adminTool: Type.Boolean(),
    anticheatRequired: Type.Boolean(),
    calculateElo: Type.Boolean(),
    captainSelection: word('How captains are chosen'),
    checkIn: Type.Object({ time: integer('Time to check in, seconds') }),
    fbiManagement: Type.Boolean(),
    groupSimilar: Type.Boolean(),
    joinType: Type.Object({
      maxParty: integer('Players of a party'),
      party: Type.Boolean(),
      premade: Type.Boolean(),
      solo: Type.Boolean(),
    }),
    maxSkill: integer('Highest level'),
    minSkill: integer('Lowest level'),
    noOfPlayers: integer('Players of a match'),
    paused: Type.Boolean(),
    queueAlgorithm: Type.Object({
      algorithmId: text('The algorithm'),
      algorithmInput: texts('What it looks at'),
      algorithmParameters: Type.Object({ band: Type.Object({ value: integer('Width of the band of ratings') }) }),
      geoDescription: mapOf(Type.String(), { description: 'By language code' }),
      geoLabel: mapOf(Type.String(), { description: 'By language code' }),
      id: text('Its configuration'),
      roleBasedCaptainPick: Type.Boolean(),
    }),
    verifiedMatching: Type.Boolean(),
  },
  { description: 'A queue with the way it makes matches' },
);
export type QueueDetails = Static<typeof QueueDetails>;

/** A user's ban from a queue. */
export const QueueBan = Type.Object(
  {
    banEnd: dateTime('End'),
    banId: id('The ban'),
    banStart: dateTime('Start'),
    createdAt: dateTime('When it was made'),
    entityId: text('What the queue belongs to'),
    entityType: word('Kind of that'),
    expired: Type.Boolean(),
    lastModified: dateTime('Last change'),
    nickname: name('Nickname of the user'),
    organizerId: text('Who owns the queue'),
    queueId: id('The queue'),
    reason: text('Why'),
    type: word('Kind of ban'),
    userId: id('The user'),
    version: integer('Grows with every change of the ban'),
  },
  { description: "A user's ban from a queue" },
);
export type QueueBan = Static<typeof QueueBan>;
