import { Static, Type } from '@sinclair/typebox';
import { id, image, mapOf, name, statistics, text, word } from './fields';

const lifetime = mapOf(Type.Union([Type.String(), Type.Array(Type.String())]), {
  description: 'Over all matches; labels are free, numbers are texts too; "Recent Results" is a list of "0" and "1"',
});

const segments = Type.Array(
  Type.Object({
    img_regular: image('Picture'),
    img_small: image('Small picture'),
    label: text('Such as the name of a map'),
    mode: text('Such as 5v5'),
    stats: statistics('In this segment'),
    type: text('What the segment is: Map'),
  }),
  { description: 'By map and mode' },
);

/** A player's statistics in a game. */
export const PlayerStats = Type.Object(
  { game_id: id('Game id'), lifetime, player_id: id('UUID'), segments },
  { description: "A player's statistics in a game" },
);
export type PlayerStats = Static<typeof PlayerStats>;

/** A team's statistics in a game. */
export const TeamStats = Type.Object(
  { game_id: id('Game id'), lifetime, segments, team_id: id('UUID') },
  { description: "A team's statistics in a game" },
);
export type TeamStats = Static<typeof TeamStats>;

/** Statistics of a round of a match; all values except `premade` are texts. */
export const MatchStatsRound = Type.Object(
  {
    best_of: text('Games at most'),
    competition_id: text('Championship, hub, matchmaking or tournament'),
    game_id: id('Game id'),
    game_mode: text('Such as 5v5'),
    match_id: id('1- and a UUID'),
    match_round: word('Number of the round, 1-based'),
    played: text('"1" when it was played'),
    round_stats: statistics('Of the round'),
    teams: Type.Array(
      Type.Object({
        players: Type.Array(
          Type.Object({ nickname: name('Nickname'), player_id: id('UUID'), player_stats: statistics('Of the player') }),
        ),
        premade: Type.Boolean(),
        team_id: text('The team'),
        team_stats: statistics('Of the team'),
      }),
    ),
  },
  { description: 'A round of a match in numbers' },
);
export type MatchStatsRound = Static<typeof MatchStatsRound>;

/** Statistics of a match. */
export const MatchStats = Type.Object(
  { rounds: Type.Array(MatchStatsRound) },
  { description: 'A match in numbers; values are texts, numbers too' },
);
export type MatchStats = Static<typeof MatchStats>;

/** One round in the list "Statistics of a player over a number of matches". */
export const PlayerMatchStats = Type.Object(
  {
    stats: Type.Unsafe<Record<string, string | number>>(
      Type.Object(
        { 'Match Finished At': Type.Integer({ description: 'Unix milliseconds' }) },
        {
          additionalProperties: Type.String(),
          description: 'Values are texts; "Match Finished At" is a number, Unix milliseconds',
          example: { 'Match Finished At': 1_767_225_600_000, Map: 'Mirage', Kills: '21', Deaths: '14' },
        },
      ),
    ),
  },
  { description: "A player's statistics in one round" },
);
export type PlayerMatchStats = Static<typeof PlayerMatchStats>;
