/** Input of a world; equal options give equal worlds. */
export interface WorldOptions {
  /** At least `fewestPlayers`. */
  readonly players: number;
  /** At least `fewestMatches`. */
  readonly matches: number;
  /** A whole number below 2^32. */
  readonly seed: number;
  /** Unix seconds; every time of the world is relative to it. */
  readonly nowS: number;
}

/** With fewer players some games would lack opponents. */
export const fewestPlayers = 200;

/** With fewer matches some states of a match would be missing. */
export const fewestMatches = 100;

/** Numbers of all nouns; proportional to the players and bounded. */
export interface WorldSizes {
  readonly organizers: number;
  readonly hubs: number;
  readonly championships: number;
  readonly tournaments: number;
  readonly clans: number;
  /** Maximum of members of the largest hub, which has the largest leaderboard. */
  readonly largestHub: number;
  /** Maximum of members of any other hub. */
  readonly largestOtherHub: number;
  /** Maximum of teams of the largest championship. */
  readonly largestChampionship: number;
  /** Maximum of players of a season of a league. */
  readonly largestLeague: number;
}

/** Sizes of a world with the given players and matches. */
export function sizesOf({ players, matches }: Pick<WorldOptions, 'players' | 'matches'>): WorldSizes {
  return {
    organizers: 8 + Math.min(Math.floor(players / 5_000), 192),
    hubs: 5 + Math.min(Math.floor(players / 2_000), 495),
    championships: 14 + Math.min(Math.floor(players / 1_000), 1_986),
    // Each takes the place of up to seven matches.
    tournaments: Math.min(8 + Math.floor(players / 1_000), 2_000, Math.floor(matches / 12)),
    clans: 16 + Math.min(Math.floor(players / 500), 4_984),
    largestHub: Math.min(20 + Math.floor(players / 10), 60_000),
    largestOtherHub: Math.min(12 + Math.floor(players / 100), 300),
    largestChampionship: Math.min(8 + Math.floor(players / 500), 256),
    largestLeague: Math.min(16 + Math.floor(players / 50), 20_000),
  };
}
