import { Static, Type } from '@sinclair/typebox';
import {
  dateTime,
  id,
  image,
  int32,
  integer,
  mapByWord,
  mapOf,
  name,
  opaque,
  pageUrl,
  text,
  texts,
  word,
  words,
} from './fields';

/** A player's data in one game. */
export const PlayerGame = Type.Object(
  {
    platform_elo: int32('Rating; more is better'),
    game_player_id: name("The player's id on the game's platform"),
    game_player_name: text("The player's name in the game"),
    game_profile_id: text('Profile in the game'),
    region: word('Region that the player is ranked in'),
    regions: opaque('Ratings by region'),
    skill_level: integer('Level in the game'),
    skill_level_label: text('The level, for people'),
  },
  { description: 'What a player is in one game' },
);
export type PlayerGame = Static<typeof PlayerGame>;

/** A player; Steam fields are empty for those without an account there. */
export const Player = Type.Object(
  {
    activated_at: dateTime('When the account was activated'),
    avatar: image('Avatar'),
    country: word('ISO 3166-1 code, lower case'),
    cover_featured_image: image('Featured cover'),
    cover_image: image('Cover'),
    platform_url: pageUrl(),
    friends_ids: texts('Player ids'),
    games: mapOf(PlayerGame, { description: 'By game id' }),
    infractions: opaque('Infractions'),
    membership_type: word('Known: free, plus, premium, unlimited'),
    memberships: words('All memberships'),
    new_steam_id: text('Steam id in its newer form; empty when there is none'),
    nickname: name('Nickname'),
    platforms: mapOf(Type.String(), { description: "Ids on the games' platforms, by platform" }),
    player_id: id('UUID'),
    settings: Type.Object({ language: text('Language code') }),
    steam_id_64: text('Steam id; empty when there is none'),
    steam_nickname: text('Name on Steam; empty when there is none'),
    verified: Type.Boolean(),
  },
  { description: 'A player' },
);
export type Player = Static<typeof Player>;

/** A player as stored: the keys of `games` are in rankings, so they are words. */
export const StoredPlayer = Type.Object(
  { ...Player.properties, games: mapByWord(PlayerGame, { description: 'By game id' }) },
  { description: 'A player whose games have ids that rankings can be kept by' },
);
export type StoredPlayer = Static<typeof StoredPlayer>;

/** A ban of a player. */
export const PlayerBan = Type.Object(
  {
    ends_at: dateTime('End'),
    game: text('Game id'),
    nickname: name('Nickname'),
    reason: text('Why'),
    starts_at: dateTime('Start'),
    type: word('Kind of ban'),
    user_id: id('Player id'),
  },
  { description: 'A ban of a player' },
);
export type PlayerBan = Static<typeof PlayerBan>;
