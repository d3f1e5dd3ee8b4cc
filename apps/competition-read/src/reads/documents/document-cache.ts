import { CompetitionKind } from '@podium/messages';
import { Counter, Gauge, Registry } from '@podium/runtime/metrics';
import { Queryable } from '@podium/runtime/postgres';
import { LRUCache } from 'lru-cache';
import { Tables } from '../../table-sets/table-set';
import { Chunk, chunkOf } from '../answers/body-parts';
import { documentTexts, documentUnlessVersion } from '../queries/documents.queries';

/** Which stored text of a kind of document is served. */
export interface ShownText {
  readonly kind: CompetitionKind;
  readonly text: 'body' | 'summary';
}

/** A document id with the version that a list has just read; null if the document does not exist. */
export interface VersionedId {
  readonly id: string;
  readonly version?: string | null;
}

interface Entry {
  readonly version: string;
  readonly chunk: Chunk;
}

/** Overhead of an entry, in addition to its bytes. */
const entryBytes = 512;

/**
 * An in-memory cache of recently served documents, as bytes ready to send. Every read asks the tables for the current
 * versions, so an entry is never stale. The cache saves transferring and encoding texts, not queries.
 */
export class DocumentCache {
  private readonly entries: LRUCache<string, Entry>;
  private readonly hits: Counter.Internal;
  private readonly misses: Counter.Internal;

  constructor(
    private readonly options: { readonly publicName: string; readonly maxBytes: number },
    registry: Registry,
  ) {
    const entries = new LRUCache<string, Entry>({
      maxSize: options.maxBytes,
      // A very large document would evict too many others.
      maxEntrySize: Math.ceil(options.maxBytes / 16),
      sizeCalculation: ({ chunk }) => chunk.bytes.length + entryBytes,
    });
    this.entries = entries;
    const registers = [registry];
    const shown = new Counter({
      name: 'competition_read_documents_total',
      help: 'Documents served, by whether they were in the in-memory cache (hit, miss)',
      labelNames: ['outcome'],
      registers,
    });
    this.hits = shown.labels('hit');
    this.misses = shown.labels('miss');
    new Gauge({
      name: 'competition_read_documents_at_hand_bytes',
      help: 'Memory used by the cache of documents',
      registers,
      collect() {
        this.set(entries.calculatedSize);
      },
    });
  }

  /** A document, or null if there is none. One statement, which returns the text only if it is not cached. */
  async one(db: Queryable, tables: Tables, kind: CompetitionKind, id: string): Promise<Chunk | null> {
    const key = keyOf(tables, { kind, text: 'body' }, id);
    const known = this.entries.get(key);
    const row = await documentUnlessVersion(db, tables, { kind, id, version: known?.version ?? '' });
    if (row === null) return null;
    if (known && row.body === null) {
      this.hits.inc();
      return known.chunk;
    }
    this.misses.inc();
    return row.body === null ? null : this.store(key, row.version, row.body);
  }

  /** The documents that exist, in the given order; one statement for those that are not cached. */
  async many(db: Queryable, tables: Tables, shown: ShownText, wanted: readonly VersionedId[]): Promise<Chunk[]> {
    const chunks = wanted.map((row) => this.cached(tables, shown, row));
    const missing = wanted.filter(({ version }, index) => version && chunks[index] === null);
    const read = missing.length === 0 ? null : await this.read(db, tables, shown, missing);
    const found = wanted.flatMap(({ id }, index) => chunks[index] ?? read?.get(id) ?? []);
    this.hits.inc(wanted.length - missing.length);
    this.misses.inc(missing.length);
    return found;
  }

  private cached(tables: Tables, shown: ShownText, { id, version }: VersionedId): Chunk | null {
    const entry = version ? this.entries.get(keyOf(tables, shown, id)) : undefined;
    return entry && entry.version === version ? entry.chunk : null;
  }

  private async read(
    db: Queryable,
    tables: Tables,
    shown: ShownText,
    missing: readonly VersionedId[],
  ): Promise<ReadonlyMap<string, Chunk>> {
    const ids = missing.map(({ id }) => id);
    const rows = await documentTexts(db, tables, shown, ids);
    return new Map(
      rows.map(({ id, version, text }) => [id, this.store(keyOf(tables, shown, id), version, text)] as const),
    );
  }

  private store(key: string, version: string, text: string): Chunk {
    const chunk = chunkOf(text, this.options.publicName);
    this.entries.set(key, { version, chunk });
    return chunk;
  }
}

function keyOf({ set }: Tables, { kind, text }: ShownText, id: string): string {
  return `${set} ${kind} ${text} ${id}`;
}
