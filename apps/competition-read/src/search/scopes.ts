import { identityDigest } from '@podium/messages';
import { SearchKind } from '../projection/projection';

/** What a search of each kind can be filtered by: the part of a tag before its colon, in one order. */
export const filtersOf: Readonly<Record<SearchKind, readonly string[]>> = {
  championship: ['game', 'region', 'type'],
  clan: ['game', 'region'],
  hub: ['game', 'region'],
  organizer: [],
  player: ['country', 'game'],
  team: ['game'],
  tournament: ['game', 'region', 'type'],
};

/**
 * Number of the scope of a search: the names of a kind that have all these tags, at most one of each filter. A 64-bit
 * integer in decimal, the start of a digest: two scopes do not meet in one number.
 */
export function scopeOf(kind: SearchKind, tags: readonly string[]): string {
  return numberOf(kind, ...[...tags].sort());
}

/** Numbers of all scopes in which a name with these tags is found; the whole kind comes first. */
export function scopesWith(kind: SearchKind, tags: readonly string[]): readonly string[] {
  const key = [kind, ...tags].join('\0');
  const known = knownScopes.get(key);
  if (known !== undefined) return known;
  const scopes = combinationsOf(kind, tags).map((chosen) => scopeOf(kind, chosen));
  if (knownScopes.size >= mostKnownScopes) knownScopes.clear();
  knownScopes.set(key, scopes);
  return scopes;
}

/** Where the turned names of a kind stand, those that do not begin with their first character: beside its scope. */
export function turnedScopeOf(kind: SearchKind): string {
  return String(~BigInt(scopeOf(kind, [])));
}

/** A 64-bit integer in decimal for a name of a kind: the start of a digest. */
export function nameRef(kind: SearchKind, id: string): string {
  return numberOf(kind, id);
}

/** Of each filter no tag or one, in every way. */
function combinationsOf(kind: SearchKind, tags: readonly string[]): string[][] {
  let combinations: string[][] = [[]];
  for (const filter of filtersOf[kind]) {
    const values = [...new Set(tags)].filter((tag) => tag.startsWith(`${filter}:`));
    combinations = combinations.flatMap((chosen) => [chosen, ...values.map((value) => [...chosen, value])]);
  }
  return combinations;
}

function numberOf(...parts: [string, ...string[]]): string {
  return String(identityDigest(...parts).readBigInt64BE(0));
}

/** Many names have the same tags, and the numbers are digests: as many as a load in bulk meets again. */
const knownScopes = new Map<string, readonly string[]>();

const mostKnownScopes = 20_000;
