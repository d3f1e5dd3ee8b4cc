import { CompetitionKind } from '@podium/messages';
import { Counter, Gauge, Registry } from '@podium/runtime/metrics';
import { Queryable } from '@podium/runtime/postgres';
import { LRUCache } from 'lru-cache';
import type { DocumentItem } from '../../projection/lists';
import { Tables } from '../../table-sets/table-set';
import { Chunk, chunkOf } from '../answers/body-parts';
import { documentTextsUnlessVersions, documentUnlessVersion } from '../queries/documents.queries';

interface Entry {
  readonly version: string;
  readonly chunk: Chunk;
  /** A version of the table set in which this was the document's version; null if none is known. */
  setVersion: string | null;
}

/** Overhead of an entry, in addition to its bytes. */
const entryBytes = 512;

/**
 * An in-memory cache of recently served documents, as bytes ready to send. An entry is used only if the tables still have its
 * version, or if nothing in the whole set has changed since they had it. So it is never stale.
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
    return row.body === null ? null : this.store(key, { version: row.version, setVersion: null }, row.body);
  }

  /**
   * The documents in the given order, null where there is none, at `setVersion` of the table set or later; or null if several have
   * more than `maxBytes` together. One statement looks up those that are not known to be current, and returns the texts that are
   * not cached.
   */
  async many(
    db: Queryable,
    tables: Tables,
    shown: DocumentItem,
    ids: readonly string[],
    { setVersion, maxBytes }: { readonly setVersion: string; readonly maxBytes: number },
  ): Promise<(Chunk | null)[] | null> {
    const prefix = keyOf(tables, shown, '');
    const entries: (Entry | undefined)[] = [];
    const chunks: Chunk[] = [];
    let bytesLeft = ids.length === 1 ? Infinity : maxBytes;
    for (const id of ids) {
      const entry = this.entries.get(prefix + id);
      entries.push(entry);
      if (entry?.setVersion !== setVersion) continue;
      chunks.push(entry.chunk);
      bytesLeft -= entry.chunk.bytes.length;
    }
    if (bytesLeft < 0) return null;
    if (chunks.length < ids.length) return this.lookUp(db, { tables, shown, setVersion, bytesLeft }, ids, entries);
    this.hits.inc(ids.length);
    return chunks;
  }

  private async lookUp(
    db: Queryable,
    {
      tables,
      shown,
      setVersion,
      bytesLeft,
    }: { tables: Tables; shown: DocumentItem; setVersion: string; bytesLeft: number },
    ids: readonly string[],
    entries: readonly (Entry | undefined)[],
  ): Promise<(Chunk | null)[] | null> {
    const chunks = new Map<string, Chunk>();
    const known = new Map<string, Entry | undefined>();
    ids.forEach((id, at) => {
      const entry = entries[at];
      if (entry?.setVersion === setVersion) chunks.set(id, entry.chunk);
      else known.set(id, entry);
    });
    let misses = 0;
    const versions = Array.from(known, ([id, entry]) => ({ id, version: entry?.version ?? '' }));
    const texts = await documentTextsUnlessVersions(db, tables, shown, versions, bytesLeft);
    if (texts === null) return null;
    for (const { id, version, text } of texts) {
      const entry = known.get(id);
      if (text !== null) {
        chunks.set(id, this.store(keyOf(tables, shown, id), { version, setVersion }, text));
        misses++;
      } else if (entry) {
        chunks.set(id, entry.chunk);
        entry.setVersion = setVersion;
      }
    }
    this.misses.inc(misses);
    this.hits.inc(chunks.size - misses);
    return ids.map((id) => chunks.get(id) ?? null);
  }

  private store(key: string, at: Omit<Entry, 'chunk'>, text: string): Chunk {
    const chunk = chunkOf(text, this.options.publicName);
    this.entries.set(key, { ...at, chunk });
    return chunk;
  }
}

function keyOf({ set }: Tables, { kind, text }: DocumentItem, id: string): string {
  return `${set} ${kind} ${text} ${id}`;
}
