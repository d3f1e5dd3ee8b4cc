/** The kinds of documents that can be found by name. */
export type SearchKind = 'championship' | 'hub' | 'tournament' | 'clan' | 'organizer' | 'player' | 'team';

/** A name that searches find; unique by (kind, id). */
export interface SearchName {
  readonly kind: SearchKind;
  readonly id: string;
  readonly name: string;
  /** Filters of searches: `game:cs2`, `region:EU`, `country:de`, `type:past`; sorted, without repeats. */
  readonly tags: readonly string[];
  /** Stored text of the search item. */
  readonly body: string;
}

/** The search name of a document; none for an empty name, which no search finds. */
export function searchName(
  kind: SearchKind,
  item: { id: string; name: string; tags: readonly (string | null)[]; body: string },
): SearchName[] {
  if (item.name === '') return [];
  const tags = new Set(item.tags.filter((tag) => tag !== null));
  return [{ kind, id: item.id, name: item.name, tags: [...tags].sort(), body: item.body }];
}

/** A filter tag; null where the document has no value. */
export const tag = {
  game: (game: string) => valueTag('game', game),
  region: (region: string) => valueTag('region', region),
  /** Countries are matched case-insensitively. */
  country: (country: string) => valueTag('country', country.toLowerCase()),
  type: (type: string | null) => valueTag('type', type ?? ''),
} as const;

function valueTag(name: string, value: string): string | null {
  return value === '' ? null : `${name}:${value}`;
}
