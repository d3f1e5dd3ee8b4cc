import type { SearchKind, SearchName } from './projection';

/** The search name of a document; none for an empty name, which no search finds. */
export function searchName(
  kind: SearchKind,
  item: { id: string; name: string; tags: readonly (string | null)[]; body: string },
): SearchName[] {
  if (item.name === '') return [];
  const tags = new Set(item.tags.filter((tag) => tag !== null));
  return [{ kind, id: item.id, name: item.name, tags: [...tags].sort(), body: item.body }];
}

/** What searches filter by; null where the document has nothing to say. */
export const tag = {
  game: (game: string) => valueTag('game', game),
  region: (region: string) => valueTag('region', region),
  /** Countries are matched in any case. */
  country: (country: string) => valueTag('country', country.toLowerCase()),
  type: (type: string | null) => valueTag('type', type ?? ''),
} as const;

function valueTag(name: string, value: string): string | null {
  return value === '' ? null : `${name}:${value}`;
}
