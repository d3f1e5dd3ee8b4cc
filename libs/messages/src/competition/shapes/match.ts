import { Static, Type } from '@sinclair/typebox';
import { epochSeconds, id, image, integer, mapOf, name, opaque, pageUrl, text, texts, word } from './fields';

/** A player in a team of a match, as of that match. */
export const RosterPlayer = Type.Object(
  {
    anticheat_required: Type.Boolean(),
    avatar: image('Avatar'),
    game_player_id: text("The player's id on the game's platform"),
    game_player_name: text("The player's name in the game"),
    game_skill_level: integer('Level in the game'),
    membership: word('Known: free, plus, premium, unlimited'),
    nickname: name('Nickname'),
    player_id: id('UUID'),
  },
  { description: 'A player in a team of a match' },
);
export type RosterPlayer = Static<typeof RosterPlayer>;

/** A substitute in a team of a match. */
export const Substitute = Type.Composite([RosterPlayer, Type.Object({ playing: Type.Boolean() })], {
  description: 'A substitute and whether they play',
});
export type Substitute = Static<typeof Substitute>;

/** A side of a match. */
export const MatchTeam = Type.Object(
  {
    avatar: image('Avatar'),
    faction_id: id('The team, or the player or party that leads this side'),
    leader: text('Player id'),
    name: name('Name'),
    roster: Type.Array(RosterPlayer),
    roster_v1: Type.Optional(Type.Unknown({ description: 'The roster in an older form; null where there is none' })),
    stats: Type.Object({
      rating: integer('Rating of the side'),
      skillLevel: Type.Object({
        average: integer('Average level'),
        range: Type.Object({ max: integer('Highest level'), min: integer('Lowest level') }),
      }),
      winProbability: integer('Chance of this side, per cent'),
    }),
    substituted: Type.Boolean(),
    substitutes: Type.Array(Substitute),
    type: word('Kind of team'),
  },
  { description: 'A side of a match' },
);
export type MatchTeam = Static<typeof MatchTeam>;

/** The outcome of a match. */
export const MatchResults = Type.Object(
  {
    score: mapOf(Type.Integer(), { description: 'By faction key' }),
    winner: word('Faction key'),
  },
  { description: 'Omitted while there is none' },
);
export type MatchResults = Static<typeof MatchResults>;

/** A match; unknown times and outcomes are omitted. */
export const Match = Type.Object(
  {
    best_of: integer('Games at most'),
    broadcast_start_time: Type.Optional(epochSeconds('Start of the broadcast')),
    broadcast_start_time_label: Type.Optional(text('Start of the broadcast, for people')),
    calculate_elo: Type.Boolean(),
    chat_room_id: text('Its chat room'),
    competition_id: id('Championship, hub, matchmaking or tournament'),
    competition_name: name('Name of the competition'),
    competition_type: word('Known: championship, hub, matchmaking, tournament'),
    configured_at: Type.Optional(epochSeconds('When the server was set up')),
    demo_url: Type.Optional(texts('Recordings')),
    detailed_results: Type.Optional(
      Type.Array(
        Type.Object({
          asc_score: Type.Boolean({ description: 'The lower score wins' }),
          factions: mapOf(Type.Object({ score: integer('Score') }), { description: 'By faction key' }),
          winner: word('Faction key'),
        }),
        { description: 'One per game' },
      ),
    ),
    platform_url: pageUrl(),
    finished_at: Type.Optional(epochSeconds('End')),
    game: id('Game id'),
    group: integer('Group of the competition'),
    instances: Type.Array(
      Type.Object({
        demos: texts('Recordings'),
        id: text('The instance'),
        round: integer('Game of the match, 1-based'),
      }),
    ),
    match_id: id('1- and a UUID'),
    organizer_id: text('Who runs the competition'),
    region: word('Region'),
    results: Type.Optional(MatchResults),
    round: integer('Round of the competition'),
    scheduled_at: Type.Optional(epochSeconds('Planned start')),
    started_at: Type.Optional(epochSeconds('Start')),
    status: word('Known: SCHEDULED, VOTING, CONFIGURING, READY, ONGOING, FINISHED, CANCELLED'),
    teams: mapOf(MatchTeam, { description: 'By faction key: faction1, faction2' }),
    version: integer('Grows with every change of the match'),
    voting: Type.Optional(
      Type.Object(
        {
          location: Type.Optional(opaque('Vote on the server')),
          map: Type.Optional(opaque('Vote on the map')),
          voted_entity_types: Type.Optional(texts('What was voted on, in order')),
        },
        { description: 'Omitted when nothing is voted on' },
      ),
    ),
  },
  { description: 'A match' },
);
export type Match = Static<typeof Match>;
