import * as fc from 'fast-check';
import { setImmediate } from 'node:timers/promises';
import { Registry } from '@podium/runtime/metrics';
import { createLog } from '@podium/runtime/log';
import { Pool, Queryable, createPool, inTransaction } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { CreateBoards1795300000001 } from '../migrations/1795300000001-create-boards';
import { preparedStatements } from '../reads/queries/prepared-statements';
import { BoardEntry } from './boards';
import { schema, tablesOf } from '../table-sets/table-set';
import { boardSize } from '../../test/table-contents';
import { rebuildCounts } from './board-counts.store';
import { applyBoards } from './boards.store';
import { entryOf } from './ranking-position.queries';
import { Rankings } from './rankings';

const tables = tablesOf('a');
const logger = createLog({ service: 'test', instance: 'test', level: 'error' });
const boardNames = ['global:cs2:EU', 'global:cs2:EU:de', 'league:\u{1f600}:7'];
const extremes = [2 ** 31 - 1, 0, -1, -(2 ** 31)];

/** A generated change of a board. It is derived from a few numbers, so that a shrunk failure stays small. */
interface Step {
  readonly board: number;
  readonly what: 'arrive' | 'leave' | 'move' | 'edit';
  /** How many players arrive; for the other kinds, every n-th player is left out. */
  readonly many: number;
  readonly scores: 'one' | 'near' | 'anywhere';
  readonly ids: 'uuid' | 'word';
}

const step: fc.Arbitrary<Step> = fc.record({
  board: fc.nat(boardNames.length - 1),
  what: fc.constantFrom('arrive', 'arrive', 'leave', 'move', 'edit'),
  many: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 200, max: 700 })),
  scores: fc.constantFrom('one', 'near', 'anywhere'),
  ids: fc.constantFrom('uuid', 'word'),
});

/** Nodes of every level become large and small again, also those whose entries share one rank key. */
const growAndShrink: Step[] = (['word', 'uuid'] as const).flatMap((ids, board) => [
  { board, what: 'arrive', many: 700, scores: 'one', ids },
  { board, what: 'arrive', many: 700, scores: 'one', ids },
  { board, what: 'leave', many: 2, scores: 'one', ids },
  { board, what: 'leave', many: 2, scores: 'one', ids },
  { board, what: 'leave', many: 3, scores: 'one', ids },
]);

/** The expected boards as maps from player to entry. */
type Model = Map<string, BoardEntry>[];

describe('rankings', () => {
  let database: FreshDatabase;
  let pool: Pool;
  let db: Queryable;
  /** Finds all places by the counts. */
  let counting: Rankings;
  let remembering: RememberingRankings;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations: [CreateBoards1795300000001] });
    pool = createPool({ url: database.url, size: 4, service: 'test' }, logger, new Registry());
    db = preparedStatements(pool);
    counting = new Rankings({ db, slowDb: db, maxBytes: 1, logger }, new Registry());
    remembering = new RememberingRankings(db, logger);
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('equal a sorted list, after any changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        await pool.query(`TRUNCATE ${tables.boardEntries}, ${tables.boardCounts}`);
        const model: Model = boardNames.map(() => new Map());
        for (const [turn, next] of steps.entries()) {
          const { removed, added } = play(model[next.board], next, turn);
          await inTransaction(pool, (tx) => applyBoards(tx, tables, removed, added));
          await expectCountsAsRebuilt();
          await expectBoard(remembering.rankings, boardNames[next.board], model[next.board]);
          await remembering.loaded();
        }
        for (const rankings of [counting, remembering.rankings])
          for (const [index, board] of boardNames.entries()) await expectBoard(rankings, board, model[index]);
      }),
      { numRuns: 16, examples: [[growAndShrink]] },
    );
  }, 240_000);

  it('are empty for an unknown board or player', async () => {
    expect(await boardSize(db, tables, 'none')).toBe(0);
    for (const offset of [0, 10]) expect(await counting.entriesAt(tables, 'none', offset, 10)).toEqual([]);
    expect(await entryOf(db, tables, 'none', 'player')).toBeNull();
    expect(await counting.windowAround(tables, 'none', 'player', 10)).toBeNull();
  });

  it('count correctly when entries are removed or added twice', async () => {
    await pool.query(`TRUNCATE ${tables.boardEntries}, ${tables.boardCounts}`);
    const entries = Array.from({ length: 300 }, (_, n) => entryFor(0, 'uuid', 'near', n));
    for (const [removed, added] of [
      [[], entries],
      [[], entries],
      [entries.slice(0, 20), []],
      [entries.slice(0, 20), entries.slice(10, 15)],
    ])
      await inTransaction(pool, (tx) => applyBoards(tx, tables, removed, added));
    expect(await boardSize(db, tables, boardNames[0])).toBe(285);
    await expectCountsAsRebuilt();
  });

  describe('read often', () => {
    const board = boardNames[0];
    const entries = Array.from({ length: 600 }, (_, n) => entryFor(0, 'uuid', 'near', n));
    const apply = (removed: BoardEntry[], added: BoardEntry[]): Promise<void> =>
      inTransaction(pool, (tx) => applyBoards(tx, tables, removed, added));

    beforeEach(async () => {
      await pool.query(`TRUNCATE ${tables.boardEntries}, ${tables.boardCounts}`);
      await apply([], entries);
      remembering = new RememberingRankings(db, logger);
      for (let time = 0; time < 2; time++) await remembering.rankings.entriesAt(tables, board, 300, 3);
      await remembering.loaded();
    });

    it('are found by their parts until a count changes, and again once they are read again', async () => {
      const { rankings } = remembering;
      const read = (): Promise<unknown> => rankings.entriesAt(tables, board, 300, 3);
      expect(await remembering.outcomesOf(read)).toEqual({ parts: 1, changed: 0, counts: 0 });
      await apply([], [{ ...entries[0], body: '{"edited":true}' }]);
      expect(await remembering.outcomesOf(read)).toEqual({ parts: 1, changed: 0, counts: 0 });
      await apply([entries[0]], []);
      expect(await remembering.outcomesOf(read)).toEqual({ parts: 0, changed: 1, counts: 0 });
      expect(await remembering.outcomesOf(read)).toEqual({ parts: 0, changed: 0, counts: 1 });
      await remembering.loaded();
      expect(await remembering.outcomesOf(read)).toEqual({ parts: 1, changed: 0, counts: 0 });
      expect(await read()).toEqual(await counting.entriesAt(tables, board, 300, 3));
    });

    it('are found around a player with one statement, and with a second one at the end of the board', async () => {
      const { rankings } = remembering;
      const sorted = [...entries].sort(byRank);
      for (const place of [0, 1, 150, 299, 450, 597, 598, 599]) {
        const before = remembering.statements;
        const window = await rankings.windowAround(tables, board, sorted[place].playerId, 5);
        const statements = remembering.statements - before;
        expect({ place, statements, position: window?.position }).toEqual({
          ...{ place, position: place + 1 },
          statements: place > 597 ? 2 : 1,
        });
      }
    });

    it('do not contain a last player who left for another one with the same key, between two statements', async () => {
      const left = { ...entries[0], score: 1, playerId: '12345678-a', body: '{"left":true}' };
      await apply([entries[0]], [left]);
      for (let time = 0; time < 3; time++) await remembering.rankings.entriesAt(tables, board, 300, 3);
      await remembering.loaded();
      remembering.afterNext = () => apply([left], [{ ...left, playerId: '12345678-b', body: '{"came":true}' }]);
      const { rankings } = remembering;
      const read = (): Promise<unknown> => rankings.windowAround(tables, board, left.playerId, 5);
      expect(await remembering.outcomesOf(async () => expect(await read()).toBeNull())).toMatchObject({ parts: 0 });
      const around = await rankings.windowAround(tables, board, '12345678-b', 5);
      expect(around?.entries).toContain('{"came":true}');
    });

    it('have a last player who exchanged the key with another one, between two statements, at the new position', async () => {
      const [high, low] = ['a', 'b'].map((end, index) => ({
        ...{ board, playerId: `12345678-${end}`, score: 2 - index, body: bodyOf(end, index) },
      }));
      await apply([], [high, low]);
      for (let time = 0; time < 3; time++) await remembering.rankings.entriesAt(tables, board, 300, 3);
      await remembering.loaded();
      remembering.afterNext = () =>
        apply(
          [high, low],
          [
            { ...high, score: low.score },
            { ...low, score: high.score },
          ],
        );
      const window = await remembering.rankings.windowAround(tables, board, high.playerId, 5);
      expect(window).toMatchObject({ start: 598, position: 602 });
      expect(window?.entries.slice(-2)).toEqual([low.body, high.body]);
    });
  });

  async function expectBoard(
    rankings: Rankings,
    board: string,
    players: ReadonlyMap<string, BoardEntry>,
  ): Promise<void> {
    const sorted = [...players.values()].sort(byRank);
    const items = sorted.map(({ body }) => body);
    expect(await boardSize(db, tables, board)).toBe(sorted.length);
    expect(await rankings.entriesAt(tables, board, sorted.length, 3)).toEqual([]);
    await inTurns(sorted.length, async (place) => {
      const { playerId, body } = sorted[place];
      expect(await rankings.entriesAt(tables, board, place, 3)).toEqual(items.slice(place, place + 3));
      expect(await entryOf(db, tables, board, playerId)).toEqual({ body, position: place + 1 });
      if (place > 8 && place < sorted.length - 8 && place % 37 !== 0) return;
      for (let limit = 1; limit <= 7; limit++) {
        const start = windowStart(place, limit, sorted.length);
        const window = { start: start + 1, position: place + 1, entries: items.slice(start, start + limit) };
        expect(await rankings.windowAround(tables, board, playerId, limit)).toEqual(window);
      }
    });
  }

  async function expectCountsAsRebuilt(): Promise<void> {
    const counts = await allCounts(pool);
    await inTransaction(pool, (tx) => rebuildCounts(tx, tables));
    expect(counts).toEqual(await allCounts(pool));
  }
});

/** Rankings that remember parts of boards, which a spec can wait for. */
class RememberingRankings {
  readonly rankings: Rankings;
  /** Called once, after the next statement. */
  afterNext: (() => Promise<void>) | undefined;
  statements = 0;
  private readonly registry = new Registry();
  private readonly loads: Promise<unknown>[] = [];

  constructor(db: Queryable, log: typeof logger) {
    const interrupted: Queryable = {
      query: async (text, values) => {
        this.statements += 1;
        const result = await db.query(text, values);
        const { afterNext } = this;
        this.afterNext = undefined;
        await afterNext?.();
        return result as never;
      },
    };
    const slowDb: Queryable = {
      query: (text, values) => {
        const loading = db.query(text, values);
        this.loads.push(loading);
        return loading as never;
      },
    };
    this.rankings = new Rankings({ db: interrupted, slowDb, maxBytes: 1024 * 1024, logger: log }, this.registry);
  }

  async loaded(): Promise<void> {
    await Promise.all(this.loads.splice(0));
    await setImmediate();
  }

  /** How often each outcome came while `work` ran. */
  async outcomesOf(work: () => Promise<unknown>): Promise<Record<string, number>> {
    const before = await this.outcomes();
    await work();
    return Object.fromEntries(Object.entries(await this.outcomes()).map(([name, n]) => [name, n - before[name]]));
  }

  private async outcomes(): Promise<Record<string, number>> {
    const { values } = await this.registry.getSingleMetric('competition_read_ranking_places_total')!.get();
    return Object.fromEntries(values.map(({ labels, value }) => [String(labels.outcome), value]));
  }
}

/** Index, from 0, of the first item of a window; the player is in the middle, or the first of the two middle ones. */
function windowStart(place: number, limit: number, size: number): number {
  const centred = place - (Math.ceil(limit / 2) - 1);
  return Math.max(0, Math.min(centred, size - limit));
}

/** Applies a step to the model and returns the same change as lists of entries. */
function play(
  players: Map<string, BoardEntry>,
  { board, what, many, scores, ids }: Step,
  turn: number,
): { removed: BoardEntry[]; added: BoardEntry[] } {
  const touched = [...players.values()].filter((_, index) => many === 1 || index % many !== 0);
  const removed = what === 'arrive' ? [] : touched;
  const added = {
    arrive: () => Array.from({ length: many }, (_, n) => entryFor(board, ids, scores, turn * 1000 + n)),
    leave: () => [],
    move: () => touched.map((entry, n) => ({ ...entry, score: scoreFor(scores, turn + n) })),
    edit: () => touched.map((entry) => ({ ...entry, body: bodyOf(entry.playerId, turn) })),
  }[what]();
  for (const { playerId } of removed) players.delete(playerId);
  for (const entry of added) players.set(entry.playerId, entry);
  return { removed, added };
}

function entryFor(board: number, ids: Step['ids'], scores: Step['scores'], n: number): BoardEntry {
  const spread = Math.imul(n + 1, 0x9e3779b1) >>> 0;
  const uuid = `${spread.toString(16).padStart(8, '0')}-0000-4000-8000-${n.toString().padStart(12, '0')}`;
  const playerId = ids === 'uuid' ? uuid : `${['Player', 'Player ', 'Q', '9', '漢'][n % 5]}${n}`;
  return { board: boardNames[board], playerId, score: scoreFor(scores, n), body: bodyOf(playerId, n) };
}

/** A body that identifies its entry, because rankings return bodies only. */
function bodyOf(playerId: string, n: number): string {
  return JSON.stringify({ playerId, n });
}

function scoreFor(scores: Step['scores'], n: number): number {
  if (scores === 'one') return 1000;
  if (scores === 'near') return 1000 + ((n * 7919) % 40);
  return n % 9 === 0 ? extremes[n % 4] : Math.imul(n + 1, 0x85ebca6b) | 0;
}

function byRank(a: BoardEntry, b: BoardEntry): number {
  return b.score - a.score || Buffer.compare(Buffer.from(a.playerId), Buffer.from(b.playerId));
}

async function allCounts(pool: Pool): Promise<unknown[]> {
  const columns = 'board, level, prefix, count';
  return (await pool.query<object>(`SELECT ${columns} FROM ${tables.boardCounts} ORDER BY 1, 2, 3`)).rows;
}

async function inTurns(count: number, work: (place: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
}
