import { CompetitionDocument, Player, recordKey } from '@podium/messages';
import { picture } from '../addresses';
import { dayS, iso } from '../clock';
import { languageOf } from '../countries';
import { documentOf, WorldDocument } from './document';
import { Friends } from '../friends';
import { GameId, gameRow } from '../games';
import { WorldOptions } from '../options';
import { PlayerFacts, Players, Rating, startingElo, steamIdOf } from '../players';
import { Pool } from '../population';
import { Random, Source } from '../random';
import { playerStatistics } from '../statistics';
import { banReasons } from '../words';
import { World } from '../world';

/** All documents of players: themselves, their statistics and bans, one player after the other. */
export function* playerDocuments({ options, population, players }: World): Generator<WorldDocument> {
  const details = new Source(options.seed, 'player details');
  const statistics = new Source(options.seed, 'player statistics');
  const bans = new Source(options.seed, 'player bans');
  const friends = new Friends(options.seed, options.players);
  for (let index = 0; index < options.players; index++) {
    const facts = players.factsOf(index);
    const second = players.secondRatingOf(facts);
    const pool = population.poolOfPlayer(index);
    let status = 'AVAILABLE';
    if (index === 0 || bans.number(index) % 40 === 0) {
      const ofPlayer = bansOf(facts, pool.game, bans.random(index), options.nowS);
      if (ofPlayer.some(({ ends_at }) => ends_at > iso(options.nowS))) status = 'BANNED';
      for (const [number, ban] of ofPlayer.entries())
        yield documentOf('player-ban', recordKey(facts.id, String(number)), ban, {});
    }
    yield documentOf(
      'player',
      facts.id,
      playerOf(facts, second, pool, players, friends, details.random(index), options),
      {
        status,
      },
    );
    yield* statsOf(facts, second, pool, statistics.random(index));
  }
}

function playerOf(
  facts: PlayerFacts,
  second: Rating | null,
  pool: Pool,
  players: Players,
  friends: Friends,
  random: Random,
  options: WorldOptions,
): CompetitionDocument<'player'> {
  const { index, id, nickname, country, membership } = facts;
  const account = players.steamNumberOf(index);
  const onSteam = [pool.game, ...(second ? [pool.secondGame] : [])].some((game) => gameRow(game).account === 'steam');
  return {
    activated_at: iso(options.nowS - random.between(40 * dayS, 3_000 * dayS)),
    avatar: facts.avatar,
    country,
    cover_featured_image: index % 20 === 0 ? picture('covers/featured', id) : '',
    cover_image: index === 0 || random.chance(25) ? picture('covers', id) : '',
    platform_url: facts.page,
    friends_ids: friends.of(index).map((friend) => players.idOf(friend)),
    games: gamesOf(pool, facts, second),
    infractions: {},
    membership_type: membership,
    memberships: [membership],
    new_steam_id: onSteam ? `[U:1:${account}]` : '',
    nickname,
    platforms: onSteam ? { steam: `STEAM_1:${account & 1}:${account >>> 1}` } : { riot: players.riotIdOf(index) },
    player_id: id,
    settings: { language: languageOf(country) },
    steam_id_64: onSteam ? steamIdOf(account) : '',
    steam_nickname: onSteam ? nickname : '',
    verified: index === 0 || random.chance(5),
  };
}

function gamesOf({ game, secondGame, region }: Pool, { rating }: PlayerFacts, second: Rating | null): Player['games'] {
  const main = playerGame(game, rating, region);
  return second ? { [game]: main, [secondGame]: playerGame(secondGame, second, region) } : { [game]: main };
}

function playerGame(
  game: GameId,
  { elo, level, gamePlayerId, gamePlayerName }: Rating,
  region: string,
): Player['games'][string] {
  return {
    platform_elo: elo,
    game_player_id: gamePlayerId,
    game_player_name: gamePlayerName,
    game_profile_id: gameRow(game).account === 'riot' ? gamePlayerId : '',
    region,
    regions: {},
    skill_level: level,
    skill_level_label: String(level),
  };
}

/** A player with the starting elo often has no matches and so no statistics. */
function* statsOf(facts: PlayerFacts, second: Rating | null, pool: Pool, random: Random): Generator<WorldDocument> {
  const { id, index, rating } = facts;
  if (index === 0 || rating.elo !== startingElo || random.chance(60)) yield statsIn(id, pool.game, rating, random);
  if (second && random.chance(20)) yield statsIn(id, pool.secondGame, second, random);
}

function statsIn(id: string, game: GameId, { level }: Rating, random: Random): WorldDocument {
  return documentOf(
    'player-stats',
    recordKey(id, game),
    {
      ...{ game_id: game, player_id: id },
      ...playerStatistics(gameRow(game), level, random),
    },
    {},
  );
}

/** The showcase player's bans are over; those of others may be active. */
function bansOf(
  { index, id, nickname }: PlayerFacts,
  game: GameId,
  random: Random,
  nowS: number,
): CompetitionDocument<'player-ban'>[] {
  const count = index === 0 ? 3 : random.between(1, 3);
  return Array.from({ length: count }, () => {
    const lengthS = random.pick([1, 3, 7, 30, 180]) * dayS;
    const agoS = random.between(1, 300 * dayS) + (index === 0 ? lengthS : 0);
    return {
      ends_at: iso(nowS - agoS + lengthS),
      game,
      nickname,
      reason: random.pick(banReasons),
      starts_at: iso(nowS - agoS),
      type: random.pick(['matchmaking', 'game', 'chat']),
      user_id: id,
    };
  });
}
