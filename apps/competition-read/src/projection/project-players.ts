import {
  Player,
  PlayerBan,
  PlayerGame,
  PlayerSearchItem,
  PlayerStats,
  StoredGlobalRankingItem,
  storedText,
  recordKey,
} from '@podium/messages';
import { BoardEntry, globalBoard } from '../rankings/boards';
import type { ContentOf } from './document-content';
import { ListingRows, isIndexable, millisecondsOf } from './listing-rows';
import { Projection, projectionOf } from './projection';
import { searchName, tag } from '../search/search-name';

/** A player is found by nickname and by game account ids, and is ranked by the rating in each game. */
export function projectPlayer({ id, document, beside }: ContentOf<'player'>): Projection {
  const { nickname, country } = document;
  const games = Object.entries(document.games);
  const listings = new ListingRows();
  if (nickname !== '') listings.add('playersByNickname', { owner: nickname, id });
  for (const [game, { game_player_id }] of games)
    if (game_player_id !== '') listings.add('playersByGameId', { owner: recordKey(game, game_player_id), id });
  const item: PlayerSearchItem = {
    avatar: document.avatar,
    country: country.toUpperCase(),
    games: games.map(([name, { skill_level }]) => ({ name, skill_level: String(skill_level) })),
    nickname,
    player_id: document.player_id,
    status: beside.status,
    verified: document.verified,
  };
  const tags = [tag.country(country), ...games.map(([game]) => tag.game(game))];
  return projectionOf(storedText(Player, document), {
    listings: listings.rows,
    names: searchName('player', { id, name: nickname, tags, body: storedText(PlayerSearchItem, item) }),
    boards: games.flatMap(([game, state]) => globalEntries(id, document, game, state)),
  });
}

/** Statistics of a player in a game are read by these two ids and are in no list. */
export function projectPlayerStats({ document }: ContentOf<'player-stats'>): Projection {
  return projectionOf(storedText(PlayerStats, document));
}

/** A ban is in the list of its player. */
export function projectPlayerBan({ id, document }: ContentOf<'player-ban'>): Projection {
  const listings = new ListingRows().add('bansOfPlayer', {
    owner: document.user_id,
    sort: millisecondsOf(document.starts_at),
    id,
  });
  return projectionOf(storedText(PlayerBan, document), { listings: listings.rows });
}

/** The player's entries in the ranking of a game and region, and of the country there; none without a region. */
function globalEntries(playerId: string, player: Player, game: string, state: PlayerGame): BoardEntry[] {
  if (state.region === '') return [];
  const country = player.country.toLowerCase();
  const body = storedText(StoredGlobalRankingItem, {
    country,
    platform_elo: state.platform_elo,
    game_skill_level: state.skill_level,
    nickname: player.nickname,
    player_id: player.player_id,
  });
  const boards = [globalBoard(game, state.region)];
  if (country !== '') boards.push(globalBoard(game, state.region, country));
  return boards
    .filter((board) => isIndexable(board))
    .map((board) => ({ board, score: state.platform_elo, playerId, body }));
}
