import { identityDigest } from '@podium/messages';
import { SearchKind } from './search-name';

/** The filters of each kind: the part of a tag before its colon, in a fixed order. */
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
 * The scope of a search: the names of a kind that have all these tags, at most one of each filter. A 64-bit integer in
 * decimal, the start of a digest, so that collisions are practically impossible.
 */
export function scopeOf(kind: SearchKind, tags: readonly string[]): string {
  return tags.length === 0 ? scopesOfKind(kind).whole : numberOf(kind, ...[...tags].sort());
}

/** All scopes in which a name with these tags is found; the scope of the whole kind comes first. */
export function scopesWith(kind: SearchKind, tags: readonly string[]): readonly string[] {
  const key = [kind, ...tags].join('\0');
  const known = knownScopes.get(key);
  if (known !== undefined) return known;
  const scopes = combinationsOf(kind, tags).map((chosen) => scopeOf(kind, chosen));
  if (knownScopes.size >= maxKnownScopes) knownScopes.clear();
  knownScopes.set(key, scopes);
  return scopes;
}

/** The scope of a kind's rotations, which begin with a later character of the name. */
export function rotatedScopeOf(kind: SearchKind): string {
  return scopesOfKind(kind).rotated;
}

/** Each search needs both, and digests are slow. */
function scopesOfKind(kind: SearchKind): { readonly whole: string; readonly rotated: string } {
  const known = kindScopes.get(kind);
  if (known !== undefined) return known;
  const whole = numberOf(kind);
  const scopes = { whole, rotated: String(~BigInt(whole)) };
  kindScopes.set(kind, scopes);
  return scopes;
}

const kindScopes = new Map<SearchKind, { readonly whole: string; readonly rotated: string }>();

/** The identifier of a scope: a 64-bit integer in decimal, the start of a digest. */
export function nameRef(kind: SearchKind, id: string): string {
  return numberOf(kind, id);
}

/** All combinations with no tag or one tag of each filter. */
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

/** Many names share their tags, and digests are slow. The cache holds as many scopes as a bulk load uses repeatedly. */
const knownScopes = new Map<string, readonly string[]>();

const maxKnownScopes = 20_000;
