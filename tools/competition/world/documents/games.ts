import { picture } from '../addresses';
import { documentOf, WorldDocument } from './document';
import { GameRow, games } from '../games';

/** The games. */
export function* gameDocuments(): Generator<WorldDocument> {
  for (const [place, game] of games.entries()) yield gameOf(game, place + 1);
}

function gameOf({ id, parent, longLabel, shortLabel, regions }: GameRow, order: number): WorldDocument {
  const image = (name: string) => picture('games', `${id}-${name}`);
  return documentOf(
    'game',
    id,
    {
      assets: {
        cover: image('cover'),
        featured_img_l: image('featured-l'),
        featured_img_m: image('featured-m'),
        featured_img_s: image('featured-s'),
        flag_img_icon: image('icon'),
        flag_img_l: image('flag-l'),
        flag_img_m: image('flag-m'),
        flag_img_s: image('flag-s'),
        landing_page: image('landing'),
      },
      game_id: id,
      long_label: longLabel,
      order,
      parent_game_id: parent,
      platforms: ['PC'],
      regions: [...regions],
      short_label: shortLabel,
    },
    {},
  );
}
