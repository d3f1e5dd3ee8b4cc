import { Static, Type } from '@sinclair/typebox';
import { expandedFields } from './added-fields';
import { id, image, int32, integer, name, pageUrl, statistics, text, texts, word } from './fields';
import { Game } from './game';
import { Organizer } from './organizer';

/** A hub. */
export const Hub = Type.Object(
  {
    avatar: image('Avatar'),
    background_image: image('Background'),
    chat_room_id: text('Its chat room'),
    cover_image: image('Cover'),
    description: text('What it is about'),
    platform_url: pageUrl(),
    game_data: Type.Optional(Game),
    game_id: id('Game that is played'),
    hub_id: id('UUID'),
    join_permission: word('Known: PUBLIC, INVITED_ONLY'),
    max_skill_level: integer('Highest level that may join'),
    min_skill_level: integer('Lowest level that may join'),
    name: name('Name'),
    organizer_data: Type.Optional(Organizer),
    organizer_id: id('Who runs it'),
    players_joined: integer('Members'),
    region: word('Region'),
    rule_id: text('Its rules'),
  },
  { description: 'A hub; game_data and organizer_data only where they are asked for' },
);
export type Hub = Static<typeof Hub>;

/** A hub as stored: the game and the organizer are separate documents. */
export const StoredHub = Type.Omit(Hub, expandedFields, {
  description: 'A hub without its game and organizer',
});
export type StoredHub = Static<typeof StoredHub>;

/** A member of a hub. */
export const HubMember = Type.Object(
  {
    avatar: image('Avatar'),
    platform_url: pageUrl(),
    nickname: name('Nickname'),
    roles: texts('Role ids or names'),
    user_id: id('Player id'),
  },
  { description: 'A member of a hub' },
);
export type HubMember = Static<typeof HubMember>;

/** A role that members of a hub may have. */
export const HubRole = Type.Object(
  {
    color: text('Such as #ff5500'),
    name: name('Name'),
    ranking: int32('Place in the list of roles, ascending'),
    role_id: id('The role'),
    visible_on_chat: Type.Boolean(),
  },
  { description: 'A role of a hub' },
);
export type HubRole = Static<typeof HubRole>;

/** The rules of a hub. */
export const HubRules = Type.Object(
  {
    body: text('The rules themselves'),
    game: text('Game id'),
    name: text('Title'),
    organizer: text('Organizer id'),
    rule_id: id('The rules'),
  },
  { description: 'The rules of a hub' },
);
export type HubRules = Static<typeof HubRules>;

/** A player's statistics in a hub. */
export const HubPlayerStats = Type.Object(
  {
    nickname: name('Nickname'),
    player_id: id('UUID'),
    stats: statistics('Statistics in this hub'),
  },
  { description: 'Statistics of a player in a hub' },
);
export type HubPlayerStats = Static<typeof HubPlayerStats>;

/** The response of "Statistics of a hub": no envelope, offset and limit apply to `players`. */
export const HubStats = Type.Object(
  { game_id: text('Game of the hub'), players: Type.Array(HubPlayerStats) },
  { description: 'Statistics of a hub' },
);
export type HubStats = Static<typeof HubStats>;
