import { picture, playerPage } from './addresses';
import { pickCountry } from './countries';
import { GameId, gameRow } from './games';
import { gameName, Nicknames } from './nicknames';
import { Population, squadSize } from './population';
import { Random, Source } from './random';

/** The facts of a player that other documents repeat. */
export interface PlayerFacts {
  readonly index: number;
  readonly id: string;
  readonly nickname: string;
  readonly page: string;
  readonly avatar: string;
  readonly country: string;
  readonly membership: string;
  /** In the game of the player's pool. */
  readonly rating: Rating;
}

/** A player's rating in a game. */
export interface Rating {
  readonly elo: number;
  readonly level: number;
  readonly gamePlayerId: string;
  readonly gamePlayerName: string;
}

/** The starting elo; very many players stay at it. */
export const startingElo = 1000;

/** Minimum elo of each level from 2. */
const levelBounds = [501, 751, 901, 1051, 1201, 1351, 1531, 1751, 2001];

/** The showcase player's country. */
const showcaseCountry = 'de';

const memberships = [
  ...Array<string>(80).fill('free'),
  ...Array<string>(8).fill('plus'),
  ...Array<string>(10).fill('premium'),
  ...Array<string>(2).fill('unlimited'),
];

/** The players of the world; each is a function of its index. */
export class Players {
  private readonly nicknames: Nicknames;
  private readonly ids: Source;
  private readonly facts: Source;
  private readonly secondRatings: Source;
  private readonly accounts: Source;

  constructor(
    seed: number,
    private readonly population: Population,
  ) {
    this.nicknames = new Nicknames(seed);
    this.ids = new Source(seed, 'player');
    this.facts = new Source(seed, 'player facts');
    this.secondRatings = new Source(seed, 'player second rating');
    this.accounts = new Source(seed, 'player accounts');
  }

  idOf(index: number): string {
    return this.ids.uuid(index);
  }

  factsOf(index: number): PlayerFacts {
    const random = this.facts.random(index);
    const { game, region } = this.population.poolOfPlayer(index);
    const id = this.ids.uuid(index);
    const nickname = this.nicknames.of(index);
    return {
      index,
      id,
      nickname,
      page: playerPage(nickname),
      avatar: index === 0 || random.chance(70) ? picture('avatars', id) : '',
      country: index === 0 ? showcaseCountry : pickCountry(region, random),
      membership: random.pick(memberships),
      rating: this.ratingOf(index, nickname, game, random),
    };
  }

  /** The player's rating in the second game of the pool; null for those who do not play it. */
  secondRatingOf({ index, nickname }: PlayerFacts): Rating | null {
    const random = this.secondRatings.random(index);
    if (!playsSecondGame(Math.floor(index / squadSize)) && !random.chance(30)) return null;
    return this.ratingOf(index, nickname, this.population.poolOfPlayer(index).secondGame, random);
  }

  /** Number of the player's account at Steam, 32 bits. */
  steamNumberOf(index: number): number {
    return this.accounts.number(index);
  }

  /** Id of the player's account at Riot. */
  riotIdOf(index: number): string {
    return this.accounts.uuid(index);
  }

  private ratingOf(index: number, nickname: string, game: GameId, random: Random): Rating {
    const elo = index === 0 ? 2150 : eloOf(random);
    return {
      elo,
      level: levelOf(elo),
      gamePlayerId: gameRow(game).account === 'steam' ? steamIdOf(this.steamNumberOf(index)) : this.riotIdOf(index),
      gamePlayerName: gameName(nickname, random),
    };
  }
}

/** Whether all players of a squad play the second game of their pool. */
export function playsSecondGame(squad: number): boolean {
  return squad % 4 === 0;
}

/** The 64-bit Steam id of an account number. */
export function steamIdOf(accountNumber: number): string {
  return `76561${197960265728 + accountNumber}`;
}

/** A quarter has exactly the starting elo; the rest is a bell whose upper side is wider. */
function eloOf(random: Random): number {
  if (random.chance(25)) return startingElo;
  const bell = random.bell();
  return Math.max(100, Math.round(1080 + bell * (bell > 0 ? 420 : 300)));
}

function levelOf(elo: number): number {
  let level = 1;
  while (level <= levelBounds.length && elo >= levelBounds[level - 1]) level++;
  return level;
}
