import { Source } from './random';

/** Kinds of pairs; each makes up to two friends of a player. */
const pairings = 12;

/** Of 100 pairs, so many are friends. */
const friendly = 45;

/** Who is friends with whom, found by arithmetic: whoever has a friend is one of that player's friends. */
export class Friends {
  private readonly pairs: Source;
  /** How far apart the two of a pair are, by kind. */
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
