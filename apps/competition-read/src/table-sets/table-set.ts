/** The two sets of projection tables: one is live, the other is free for a rebuild. */
export type TableSet = 'a' | 'b';

/** Names of the tables of one set, with their schema. */
export interface Tables {
  readonly set: TableSet;
  readonly documents: string;
  readonly listings: string;
  readonly names: string;
  readonly nameGrams: string;
  readonly boardEntries: string;
  readonly boardCounts: string;
  readonly positions: string;
}

/** The database schema of this service. */
export const schema = 'competition_read';

const sets: Readonly<Record<TableSet, Tables>> = { a: named('a'), b: named('b') };

/** The tables of a set; the migrations create both sets. */
export function tablesOf(set: TableSet): Tables {
  return sets[set];
}

/**
 * A function that returns the same text as the given one, built once for each set and options. A text that is built for each
 * request costs more than the look-up of its prepared statement, which reads the whole text to find it.
 */
export function builtOnce<Options extends readonly (string | boolean)[]>(
  build: (tables: Tables, ...options: Options) => string,
): typeof build {
  const texts = new Map<string, string>();
  return (tables, ...options) => {
    const key = [tables.set, ...options].join(' ');
    const known = texts.get(key);
    if (known !== undefined) return known;
    const text = build(tables, ...options);
    texts.set(key, text);
    return text;
  };
}

/** The other set. */
export function otherSet(set: TableSet): TableSet {
  return set === 'a' ? 'b' : 'a';
}

function named(set: TableSet): Tables {
  return {
    set,
    documents: `${schema}.documents_${set}`,
    listings: `${schema}.listings_${set}`,
    names: `${schema}.names_${set}`,
    nameGrams: `${schema}.name_grams_${set}`,
    boardEntries: `${schema}.board_entries_${set}`,
    boardCounts: `${schema}.board_counts_${set}`,
    positions: `${schema}.positions_${set}`,
  };
}
