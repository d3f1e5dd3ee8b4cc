import { Static, Type } from '@sinclair/typebox';
import { id, image, name, text, word } from './fields';

/** A matchmaking of a game with its queues. */
export const Matchmaking = Type.Object(
  {
    game: id('Game id'),
    icon: image('Icon'),
    id: id('The matchmaking'),
    league_id: text('Its league; empty when there is none'),
    long_description: text('What it is about'),
    name: name('Name'),
    queues: Type.Array(
      Type.Object({
        id: id('24 hex characters'),
        name: name('Name'),
        open: Type.Boolean(),
        organizer_id: text('Who owns it'),
        paused: Type.Boolean(),
      }),
    ),
    region: word('Region'),
    short_description: text('What it is about, in a line'),
  },
  { description: 'A matchmaking with its queues' },
);
export type Matchmaking = Static<typeof Matchmaking>;

/** A matchmaking in the list of a game. */
export const MatchmakingListItem = Type.Object(
  {
    game: id('Game id'),
    has_league: Type.Boolean(),
    id: id('The matchmaking'),
    name: name('Name'),
    region: word('Region'),
  },
  { description: 'A matchmaking in the list of a game' },
);
export type MatchmakingListItem = Static<typeof MatchmakingListItem>;
