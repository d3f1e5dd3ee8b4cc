import { Static, Type } from '@sinclair/typebox';
import { id, image, int32, name, word, words } from './fields';

/** A game, or a regional edition of one. */
export const Game = Type.Object(
  {
    assets: Type.Object(
      {
        cover: image('Cover'),
        featured_img_l: image('Featured picture, large'),
        featured_img_m: image('Featured picture, medium'),
        featured_img_s: image('Featured picture, small'),
        flag_img_icon: image('Flag, icon'),
        flag_img_l: image('Flag, large'),
        flag_img_m: image('Flag, medium'),
        flag_img_s: image('Flag, small'),
        landing_page: image('Landing page'),
      },
      { description: 'Pictures of the game' },
    ),
    game_id: id('Word that names the game: cs2, dota2'),
    long_label: name('Full name'),
    order: int32('Place in the list of all games, ascending'),
    parent_game_id: word('The game that this one is a regional edition of; its own id or empty when it is none'),
    platforms: words('Platforms that it is played on'),
    regions: words('Regions that it is played in'),
    short_label: name('Short name'),
  },
  { description: 'A game, or a regional edition of one' },
);
export type Game = Static<typeof Game>;
