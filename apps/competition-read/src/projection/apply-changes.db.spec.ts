import { CompetitionChange, decodeRecord, topics } from '@podium/messages';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, inTransaction, isContention, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { changeHistory, inBatches, seededRandom, shuffledWithRepeats } from '../../test/change-history';
import { deletionOf, sampleChange } from '../../test/sample';
import { contentsOf, emptySet } from '../../test/table-contents';
import { migrations, schema } from '../migrations';
import { applyChanges } from './apply-changes';
import { ChangeOutcome } from './stale-changes';
import { project } from './project';
import { DocumentChange, readChange } from './read-change';
import { tablesOf } from '../table-sets/table-set';

const tables = tablesOf('a');

describe('applying changes', () => {
  let database: FreshDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
    pool = createPool({ url: database.url, size: 6, service: 'test' }, logger, new Registry());
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });
  beforeEach(() => emptySet(queryable(pool), 'a'));

  it('produces the same tables in any order, with repeats, stale versions and deletions', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const history = changeHistory(seed, 12).map(documentChange);
    const newest = new Map(history.map((change) => [`${change.content.kind} ${change.content.id}`, change]));
    const expected = [...newest.values()].map(rowsOf);
    let first: Awaited<ReturnType<typeof contentsOf>> | undefined;
    for (let order = 0; order < 10; order++) {
      const random = seededRandom(seed + order);
      await emptySet(queryable(pool), 'a');
      for (const batch of inBatches(shuffledWithRepeats(history, random), 60, random)) await apply(batch);
      const contents = await contentsOf(queryable(pool), 'a');
      expect({ seed, order, ...contents }).toEqual({ seed, order, ...(first ??= contents) });
      expect(contents.documents).toHaveLength(newest.size);
      const listed = expected.flatMap(({ listings }) => listings);
      expect({ seed, rows: contents.listings.length }).toEqual({ seed, rows: listed.length });
      // About 145, with a standard deviation of 20.
      expect(listed.length).toBeGreaterThan(40);
      expect(contents.names).toHaveLength(expected.flatMap(({ names }) => names).length);
      expect(contents.boardEntries).toHaveLength(expected.flatMap(({ boards }) => boards).length);
    }
    for (const rows of Object.values(first!)) expect({ seed, rows: rows.length }).not.toEqual({ seed, rows: 0 });
  }, 120_000);

  it('returns the outcome of each change', async () => {
    const hub = (revision: number, name: string) =>
      documentChange(sampleChange('hub', { document: { hub_id: 'h', name }, revision }));
    expect(await apply([hub(3, 'c'), hub(2, 'b'), hub(4, 'd')])).toEqual(['stale', 'stale', 'applied']);
    expect(await apply([hub(4, 'other')])).toEqual(['stale']);
    expect(await apply([documentChange(deletionOf('hub', 'h', 5)), hub(5, 'e')])).toEqual(['applied', 'stale']);
    expect(await apply([hub(4, 'd')])).toEqual(['stale']);
    expect(await contentsOf(queryable(pool), 'a')).toMatchObject({ documents: [expect.anything()], names: [] });
    expect(await apply([hub(6, 'f')])).toEqual(['applied']);
    expect((await contentsOf(queryable(pool), 'a')).names).toHaveLength(1);
  });

  it('stores ids and names of as many characters as schemas allow, of four bytes each', async () => {
    const random = seededRandom(1);
    // Indexes compress what repeats.
    const wide = (length: number): string =>
      Array.from({ length }, () => String.fromCodePoint(0x20000 + Math.floor(random() * 40_000))).join('');
    const changes = [
      sampleChange('hub', { document: { hub_id: wide(128), name: wide(256) } }),
      sampleChange('player', { document: { player_id: wide(128), nickname: wide(256) } }),
      sampleChange('team', { document: { team_id: wide(128), name: wide(256), nickname: wide(256) } }),
    ];
    const { events } = topics.competitionChanges;
    for (const change of changes)
      expect(decodeRecord(events, Buffer.from(JSON.stringify(change)))).toMatchObject({ ok: true });
    expect(await apply(changes.map(documentChange))).toEqual(['applied', 'applied', 'applied']);
    expect((await contentsOf(queryable(pool), 'a')).documents).toHaveLength(3);
  });

  it('deletes a document and its revision at a tombstone, and applies later changes', async () => {
    const content = { kind: 'hub', id: 'h' } as const;
    const hub = (revision: number) => documentChange(sampleChange('hub', { document: { hub_id: 'h' }, revision }));
    await apply([hub(9)]);
    expect(await apply([hub(10), { what: 'forget', content }])).toEqual(['stale', 'applied']);
    expect(Object.values(await contentsOf(queryable(pool), 'a')).flat()).toEqual([]);
    await apply([hub(9)]);
    expect(await apply([{ what: 'forget', content }, hub(1)])).toEqual(['stale', 'applied']);
    expect((await contentsOf(queryable(pool), 'a')).documents[0]).toContain('"revision": 1');
  });

  it('does not write unchanged rows', async () => {
    const player = (revision: number, avatar: string) =>
      documentChange(
        sampleChange('player', { document: { player_id: 'p', nickname: 'Nick', country: 'de', avatar }, revision }),
      );
    await apply([player(1, '')]);
    const written = await rowVersions();
    await apply([player(2, '')]);
    expect(await rowVersions()).toEqual(written);
    await apply([player(3, 'new')]);
    const { names, ...others } = await rowVersions();
    expect(others).toEqual({ listings: written.listings, nameGrams: written.nameGrams });
    expect(names).not.toEqual(written.names);
  });

  it('produces the same tables when two consumers write the same documents, as after a rebalance', async () => {
    const history = changeHistory(20, 6).map(documentChange);
    const writers = Array.from({ length: 2 }, async (_, writer) => {
      const random = seededRandom(writer);
      for (const batch of inBatches(shuffledWithRepeats(history, random), 80, random)) await applyAtLast(batch);
    });
    await Promise.all(writers);
    const together = await contentsOf(queryable(pool), 'a');
    await emptySet(queryable(pool), 'a');
    await apply(history);
    expect(together).toEqual(await contentsOf(queryable(pool), 'a'));
  });

  function apply(changes: readonly DocumentChange[]): Promise<ChangeOutcome[]> {
    return inTransaction(pool, (tx) => applyChanges(tx, tables, changes));
  }

  /** Retries after contention, as a consumer does. */
  async function applyAtLast(changes: readonly DocumentChange[]): Promise<void> {
    for (;;) {
      try {
        return void (await apply(changes));
      } catch (error) {
        if (!isContention(error)) throw error;
      }
    }
  }

  /** The ids of the transactions that wrote the rows of a document. */
  async function rowVersions(): Promise<Record<'listings' | 'names' | 'nameGrams', unknown[]>> {
    const versions = async (table: string) => (await pool.query(`SELECT ctid, xmin FROM ${table} ORDER BY ctid`)).rows;
    return {
      listings: await versions(tables.listings),
      names: await versions(tables.names),
      nameGrams: await versions(tables.nameGrams),
    };
  }
});

function documentChange(change: CompetitionChange): DocumentChange {
  const read = readChange(change);
  if (!read.ok) throw new Error(read.reason);
  return read.change;
}

function rowsOf(change: DocumentChange) {
  return change.what === 'put' ? project(change.content) : { listings: [], names: [], boards: [] };
}
