import { Source } from './random';

/** Kinds of pairs; each gives a player up to two friends. */
const pairings = 12;

/** Percentage of pairs that are friends. */
const friendly = 45;

/** Friendships, computed from the indexes of players; they are mutual. */
export class Friends {
  private readonly pairs: Source;
  /** Distance between the two indexes of a pair, by kind. */
  private readonly distances: readonly number[];

  constructor(
    seed: number,
    private readonly players: number,
  ) {
    this.pairs = new Source(seed, 'friends');
    const distances = new Source(seed, 'friends apart');
    this.distances = Array.from({ length: pairings }, (_, kind) => 1 + (distances.number(kind) % (players - 1)));
  }

  /** Indexes of a player's friends, each once. */
  of(player: number): number[] {
    const friends = new Set<number>();
    for (const [kind, distance] of this.distances.entries()) {
      const earlier = (player - distance + this.players) % this.players;
      if (this.isFriendly(player, kind)) friends.add((player + distance) % this.players);
      if (this.isFriendly(earlier, kind)) friends.add(earlier);
    }
    return [...friends];
  }

  private isFriendly(first: number, kind: number): boolean {
    return this.pairs.number(first * pairings + kind) % 100 < friendly;
  }
}
