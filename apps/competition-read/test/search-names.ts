import type { SearchName } from '../src/projection/projection';

/** A player whose id is its name. */
export function player(name: string, tags: readonly string[] = []): SearchName {
  return { kind: 'player', id: name, name, tags, body: JSON.stringify({ nickname: name }) };
}

/** Four letters that number a name; in the order of the numbers. */
export function letters(index: number): string {
  return [...String(index).padStart(4, '0')].map((digit) => 'abcdefghij'[Number(digit)]).join('');
}

/** Ids of what a search found. */
export function idsOf(found: readonly { id: string }[]): string[] {
  return found.map(({ id }) => id);
}

/** The order of the database. */
export function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
