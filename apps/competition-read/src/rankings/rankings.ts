import { Counter, Gauge, Registry } from '@podium/runtime/metrics';
import { Logger } from '@podium/runtime/log';
import { Queryable } from '@podium/runtime/postgres';
import { LRUCache } from 'lru-cache';
import { Tables } from '../table-sets/table-set';
import { BoardParts } from './board-parts';
import { readBoardParts } from './board-parts.queries';
import { splitAbove } from './count-tree';
import { BoardState, entriesByCounts, entriesInPart, firstEntries } from './ranking-pages.queries';
import { RankingWindow, windowByCounts, windowByParts } from './ranking-windows.queries';

/** What is known of a board. */
interface KnownBoard {
  readonly version: string;
  /** Reads that found their place by the counts at this version. */
  reads: number;
  readonly parts: BoardParts | null;
}

/** Reading the parts of a board costs about as much as they save in one read per this many entries. */
const entriesPerRead = 2048;
/** Overhead of a board, in addition to its parts. */
const boardBytes = 512;

/**
 * Pages of rankings at any position. A place is found by descending the counts in Postgres, or, in a board that is read
 * often while its counts stay the same, by its parts in memory. The statement that uses these compares their version with
 * the board's, so they are never stale.
 */
export class Rankings {
  private readonly boards: LRUCache<string, KnownBoard>;
  private readonly loading = new Set<string>();
  private readonly outcomes: Readonly<Record<'parts' | 'changed' | 'counts', Counter.Internal>>;

  constructor(
    private readonly options: {
      readonly db: Queryable;
      /** Reads whole boards, apart from reads that are in a hurry. */
      readonly slowDb: Queryable;
      readonly maxBytes: number;
      readonly logger: Logger;
    },
    registry: Registry,
  ) {
    const boards = new LRUCache<string, KnownBoard>({
      maxSize: options.maxBytes,
      maxEntrySize: Math.ceil(options.maxBytes / 4),
      sizeCalculation: ({ parts }, key) => boardBytes + key.length + (parts?.byteLength ?? 0),
    });
    this.boards = boards;
    const registers = [registry];
    const places = new Counter({
      name: 'competition_read_ranking_places_total',
      help: 'Places in rankings by how they were found: parts in memory, counts in Postgres, or counts because the parts had changed',
      labelNames: ['outcome'],
      registers,
    });
    this.outcomes = {
      parts: places.labels('parts'),
      changed: places.labels('changed'),
      counts: places.labels('counts'),
    };
    // A series that begins with its first event has no rate until the second.
    for (const outcome of Object.values(this.outcomes)) outcome.inc(0);
    new Gauge({
      name: 'competition_read_ranking_parts_bytes',
      help: 'Memory used by the parts of rankings',
      registers,
      collect() {
        this.set(boards.calculatedSize);
      },
    });
  }

  /**
   * At most `limit` (at least 1) entries of a board from `offset` (from 0) on, as stored: JSON objects without the
   * position, which is offset + index + 1; empty where a page has no room for one.
   */
  async entriesAt(tables: Tables, board: string, offset: number, limit: number): Promise<readonly string[]> {
    const { db } = this.options;
    if (offset === 0) return firstEntries(db, tables, board, limit);
    const page = { offset, limit };
    const parts = this.partsOf(tables, board);
    if (parts && offset < parts.size) {
      const { version } = parts;
      const entries = await entriesInPart(db, tables, board, page, { part: parts.at(offset), version });
      if (entries !== null) return this.counted('parts', entries);
    }
    const found = await entriesByCounts(db, tables, board, page);
    if (found === null) return [];
    this.noteRead(tables, board, found);
    return this.counted(parts ? 'changed' : 'counts', found.entries);
  }

  /**
   * `limit` (at least 1) entries with the player in the middle, at limit/2 for an even limit. At an end of the board the
   * window shifts and stays full; a board with fewer entries is returned whole. Null when the board has no such player.
   */
  async windowAround(tables: Tables, board: string, playerId: string, limit: number): Promise<RankingWindow | null> {
    const { db } = this.options;
    const wanted = { playerId, limit };
    const parts = this.partsOf(tables, board);
    if (parts) {
      const window = await windowByParts(db, tables, board, wanted, parts);
      if (window !== null) return this.counted('parts', window);
    }
    const found = await windowByCounts(db, tables, board, wanted);
    if (found === null) return null;
    this.noteRead(tables, board, found);
    return this.counted(parts ? 'changed' : 'counts', found.window);
  }

  private partsOf(tables: Tables, board: string): BoardParts | null {
    return this.boards.get(keyOf(tables, board))?.parts ?? null;
  }

  /** Reads the parts of a board, if it has several, once the reads at its version have cost as much. */
  private noteRead(tables: Tables, board: string, { version, size }: BoardState): void {
    if (size <= splitAbove) return;
    const key = keyOf(tables, board);
    const known = this.boards.get(key);
    if (known?.version !== version) {
      this.boards.set(key, { version, reads: 1, parts: null });
      return;
    }
    known.reads += 1;
    if (known.reads * entriesPerRead < size || this.loading.has(key)) return;
    this.loading.add(key);
    void this.loadParts(tables, board).finally(() => this.loading.delete(key));
  }

  private async loadParts(tables: Tables, board: string): Promise<void> {
    const key = keyOf(tables, board);
    try {
      const parts = await readBoardParts(this.options.slowDb, tables, board);
      if (parts === null) this.boards.delete(key);
      else this.boards.set(key, { version: parts.version, reads: 0, parts });
    } catch (error) {
      this.boards.delete(key);
      this.options.logger.warn({ err: error, board }, 'the parts of a ranking could not be read');
    }
  }

  private counted<T>(outcome: 'parts' | 'changed' | 'counts', result: T): T {
    this.outcomes[outcome].inc();
    return result;
  }
}

function keyOf({ set }: Tables, board: string): string {
  return `${set} ${board}`;
}
