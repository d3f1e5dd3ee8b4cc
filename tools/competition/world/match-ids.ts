import { Source } from './random';

/** A side of a match: 0 is faction1, 1 is faction2. */
export type SideIndex = 0 | 1;

/** The facts of matches that competitions need without the matches: ids and winners. */
export class MatchIds {
  private readonly ids: Source;
  private readonly winners: Source;

  constructor(seed: number) {
    this.ids = new Source(seed, 'match');
    this.winners = new Source(seed, 'match winner');
  }

  idOf(match: number): string {
    return `1-${this.ids.uuid(match)}`;
  }

  winnerOf(match: number): SideIndex {
    return this.winners.number(match) & 1 ? 1 : 0;
  }
}

/** The key of a side in the maps of a match. */
export function factionKey(side: SideIndex): 'faction1' | 'faction2' {
  return side === 0 ? 'faction1' : 'faction2';
}

/** The first matches are the showcase's. */
export const showcaseMatches = 24;

/** Matches reserved for the bracket of each tournament, after those of the showcase. */
export const matchesPerTournament = 7;

/** Reserved matches that are not in a bracket are ordinary ones. */
export function tournamentMatchOf(tournament: number, place: number): number {
  return showcaseMatches + tournament * matchesPerTournament + place;
}
