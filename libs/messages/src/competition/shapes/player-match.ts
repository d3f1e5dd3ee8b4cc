import { Static, Type } from '@sinclair/typebox';
import { epochSeconds, id, image, integer, mapOf, name, pageUrl, text, word } from './fields';
import { MatchResults } from './match';

const HistoryPlayer = Type.Object({
  avatar: image('Avatar'),
  platform_url: pageUrl(),
  game_player_id: text("The player's id on the game's platform"),
  game_player_name: text("The player's name in the game"),
  nickname: name('Nickname'),
  player_id: id('UUID'),
  skill_level: integer('Level in the game'),
});

/** A finished match in the history of its players. */
export const PlayerMatch = Type.Object(
  {
    competition_id: text('Championship, hub, matchmaking or tournament'),
    competition_name: text('Name of the competition'),
    competition_type: word('Known: championship, hub, matchmaking, tournament'),
    platform_url: pageUrl(),
    finished_at: epochSeconds('End'),
    game_id: id('Game id'),
    game_mode: text('Such as 5v5'),
    match_id: id('1- and a UUID'),
    match_type: text('Kind of match'),
    max_players: integer('Players at most'),
    organizer_id: text('Who runs the competition'),
    playing_players: Type.Array(id('UUID'), { description: 'Player ids of all who played' }),
    region: word('Region'),
    results: Type.Optional(MatchResults),
    started_at: epochSeconds('Start'),
    status: word('As of a match, in lower case'),
    teams: mapOf(
      Type.Object({
        avatar: image('Avatar'),
        nickname: text('Name'),
        players: Type.Array(HistoryPlayer),
        team_id: text('The team'),
        type: text('Kind of team'),
      }),
      { description: 'By faction key' },
    ),
    teams_size: integer('Players of a team'),
  },
  { description: 'A match in the history of a player; one document for all who played it' },
);
export type PlayerMatch = Static<typeof PlayerMatch>;
