import { CompetitionKind } from '@podium/messages';
import { Counter, Gauge, Registry } from '@podium/runtime/metrics';
import { Queryable } from '@podium/runtime/postgres';
import { LRUCache } from 'lru-cache';
import { Tables } from '../projection/table-set';
import { Chunk, chunkOf } from './chunk';
import { documentTexts, documentUnlessVersion } from './documents.queries';

/** Which text of a kind of documents is shown. */
export interface ShownText {
  readonly kind: CompetitionKind;
  readonly text: 'body' | 'summary';
}

/** A document and its version as a list has just read them; null where it is not there. */
export interface VersionedId {
  readonly id: string;
  readonly version?: string | null;
}

interface Entry {
  readonly version: string;
  readonly chunk: Chunk;
}

/** What an entry weighs beside its bytes. */
const entryBytes = 512;

/**
 * Documents ready to be sent, those served lately at hand. Every read asks the tables for the version of what it shows, so
 * nothing is ever out of date: what is saved is moving and encoding bytes, not looking.
 */
export class Documents {
  private readonly entries: LRUCache<string, Entry>;
  private readonly hits: Counter.Internal;
  private readonly misses: Counter.Internal;

  constructor(
    private readonly options: { readonly publicName: string; readonly maxBytes: number },
    registry: Registry,
  ) {
    const entries = new LRUCache<string, Entry>({
      maxSize: options.maxBytes,
      // One that takes much of the room is not worth what it would push out.
      maxEntrySize: Math.ceil(options.maxBytes / 16),
      sizeCalculation: ({ chunk }) => chunk.bytes.length + entryBytes,
    });
    this.entries = entries;
    const registers = [registry];
    const shown = new Counter({
      name: 'competition_read_documents_total',
      help: 'Documents shown, by whether their bytes were at hand (hit, miss)',
      labelNames: ['outcome'],
      registers,
    });
    this.hits = shown.labels('hit');
    this.misses = shown.labels('miss');
    new Gauge({
      name: 'competition_read_documents_at_hand_bytes',
      help: 'Memory of the documents at hand',
      registers,
      collect() {
        this.set(entries.calculatedSize);
      },
    });
  }

  /** A whole document, or null where there is none; one statement, which brings the text only where it is not at hand. */
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
    return row.body === null ? null : this.keep(key, row.version, row.body);
  }

  /** The documents that are there, in the order given; a statement only for those that are not at hand. */
  async many(db: Queryable, tables: Tables, shown: ShownText, wanted: readonly VersionedId[]): Promise<Chunk[]> {
    const chunks = wanted.map((row) => this.atHand(tables, shown, row));
    const missing = wanted.filter(({ version }, index) => version && chunks[index] === null);
    const read = missing.length === 0 ? null : await this.read(db, tables, shown, missing);
    const there = wanted.flatMap(({ id }, index) => chunks[index] ?? read?.get(id) ?? []);
    this.hits.inc(wanted.length - missing.length);
    this.misses.inc(missing.length);
    return there;
  }

  private atHand(tables: Tables, shown: ShownText, { id, version }: VersionedId): Chunk | null {
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
      rows.map(({ id, version, text }) => [id, this.keep(keyOf(tables, shown, id), version, text)] as const),
    );
  }

  private keep(key: string, version: string, text: string): Chunk {
    const chunk = chunkOf(text, this.options.publicName);
    this.entries.set(key, { version, chunk });
    return chunk;
  }
}

function keyOf({ set }: Tables, { kind, text }: ShownText, id: string): string {
  return `${set} ${kind} ${text} ${id}`;
}
