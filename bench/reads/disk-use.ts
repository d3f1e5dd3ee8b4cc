import { withClient } from '../../tools/stack/with-client';
import { WorldSize } from './options';

/** Bytes on disk of the live tables with their indexes, and where they go. */
export interface DiskUse {
  readonly totalBytes: number;
  /** What belongs to matches (their documents, histories and statistics), divided by the matches. */
  readonly bytesPerMatch: number;
  /** Everything else, divided by the players. */
  readonly bytesPerPlayer: number;
  /** Largest first; estimated within each table from a sample of its rows. */
  readonly parts: readonly DiskPart[];
}

interface DiskPart {
  /** A kind of documents, a list, or a whole table. */
  readonly name: string;
  readonly bytes: number;
  readonly belongsTo: 'match' | 'player';
}

/** Percent of a table's pages that are read for the shares of its parts. */
const samplePercent = 2;
const matchParts = /^(match|match-.*|matchesOf.*|historyOf.*|matchStatsOf.*)$/;

/** Measures the live tables. */
export function diskUse(databaseUrl: string, { players, matches }: WorldSize): Promise<DiskUse> {
  return withClient(databaseUrl, async (client) => {
    const one = async <T>(sql: string): Promise<T[]> => (await client.query(sql)).rows as T[];
    const [{ live }] = await one<{ live: string }>('SELECT live FROM competition_read.live_set');
    const table = (name: string): string => `competition_read.${name}_${live}`;
    const sizeOf = async (name: string): Promise<number> => {
      const [{ bytes }] = await one<{ bytes: string }>(`SELECT pg_total_relation_size('${table(name)}') AS bytes`);
      return Number(bytes);
    };
    const partsOf = async (name: string, column: string, texts: readonly string[]): Promise<DiskPart[]> => {
      const bytes = texts.map((text) => `coalesce(pg_column_size(${text}), 0)`).join(' + ');
      const shares = await one<{ name: string; share: number }>(
        `SELECT ${column} AS name, (sum(${bytes}) / sum(sum(${bytes})) OVER ())::float8 AS share
         FROM ${table(name)} TABLESAMPLE SYSTEM (${samplePercent}) GROUP BY 1`,
      );
      const size = await sizeOf(name);
      return shares.map((part) => diskPart(part.name, part.share * size));
    };
    const parts = [
      ...(await partsOf('documents', 'kind', ['kind', 'id', 'revision', 'body', 'summary', 'beside'])),
      ...(await partsOf('listings', 'list', ['list', 'owner', 'filter', 'sort', 'id', 'body'])),
      diskPart('names and their index', (await sizeOf('names')) + (await sizeOf('name_grams'))),
      diskPart('rankings', (await sizeOf('board_entries')) + (await sizeOf('board_counts'))),
    ].sort((a, b) => b.bytes - a.bytes);
    const bytesOf = (of: DiskPart['belongsTo']): number =>
      parts.reduce((sum, { bytes, belongsTo }) => sum + (belongsTo === of ? bytes : 0), 0);
    return {
      totalBytes: bytesOf('match') + bytesOf('player'),
      bytesPerMatch: bytesOf('match') / matches,
      bytesPerPlayer: bytesOf('player') / players,
      parts,
    };
  });
}

function diskPart(name: string, bytes: number): DiskPart {
  return { name, bytes, belongsTo: matchParts.test(name) ? 'match' : 'player' };
}

/** The figures as text: the totals, and each part of at least a hundredth. */
export function describeDisk({ totalBytes, bytesPerMatch, bytesPerPlayer, parts }: DiskUse): string {
  const largest = parts
    .filter(({ bytes }) => bytes >= totalBytes / 100)
    .map(({ name, bytes }) => `${name} ${((100 * bytes) / totalBytes).toFixed(0)} %`);
  return (
    `Disk: ${(totalBytes / 1e9).toFixed(2)} GB, ${(bytesPerPlayer / 1000).toFixed(1)} kB per player and ` +
    `${(bytesPerMatch / 1000).toFixed(1)} kB per match. Of it: ${largest.join(', ')}`
  );
}
