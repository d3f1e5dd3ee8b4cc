import type { SearchName } from '../src/search/search-name';

/** A player whose id equals its name. */
export function player(name: string, tags: readonly string[] = []): SearchName {
  return { kind: 'player', id: name, name, tags, body: JSON.stringify({ id: name, nickname: name }) };
}

/** Four letters for a number, in the same order as the numbers. */
export function letters(index: number): string {
  return [...String(index).padStart(4, '0')].map((digit) => 'abcdefghij'[Number(digit)]).join('');
}

/** Ids of the search results. */
export function idsOf(found: readonly string[]): string[] {
  return found.map((body) => (JSON.parse(body) as { id: string }).id);
}

/** Compares by bytes, as the database does. */
export function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
