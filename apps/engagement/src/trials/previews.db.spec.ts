import { queryable } from '@podium/runtime/postgres';
import { userEvent } from '@podium/testing/user-event';
import { AppliedTables, link, nowS } from '../../test/applied-tables';
import { deposits, segmentOf } from '../../test/given-definitions';
import { continueOne, orderTrial, runTrial } from '../../test/trial-run';
import { settleDue } from '../due/settle-due';
import { sweepDefinitions } from '../due/sweep-definitions';
import { SegmentDefinition } from '../evaluation/definition';
import { readSample } from './sample.store';
import { readCapped } from './trial-reports.queries';

const dayS = 86_400;
const segmentId = '00000000-0000-4000-8000-000000000003';
const depositors = (value: string): SegmentDefinition =>
  segmentOf(segmentId, { count: deposits, window: { lifetime: true }, op: 'gte', value });

describe('previews', () => {
  let tables: AppliedTables;

  beforeAll(async () => {
    tables = await AppliedTables.create();
  });
  afterAll(() => tables.drop());
  beforeEach(async () => {
    await tables.clear();
    await tables.pool.query('DELETE FROM engagement.trials');
    tables.given.set();
  });

  it('count the members that the segment has once it is published, for names that no definition has used', async () => {
    for (let n = 0; n < 30; n++) await deposit(`user-${n}`, (n % 3) + 1);
    await tables.storeLinks(link('user-2', 'unlinked', 20));
    const draft = depositors('3');
    const { members, usersDone, trialId } = await preview(draft);
    expect({ members, usersDone }).toEqual({ members: 9, usersDone: 30 });
    const sample = await readSample(queryable(tables.pool), trialId);
    expect(sample).toHaveLength(9);
    for (const { userId, comparisons } of sample) {
      expect(Number(userId.split('-')[1]) % 3).toBe(2);
      expect(comparisons).toMatchObject([
        { path: 'condition', value: '3', target: '3', holds: true, counted_total: 3 },
      ]);
    }
    tables.given.set(draft);
    while ((await sweepDefinitions(tables.parts, 100)) > 0);
    await settleDue(tables.parts, 100);
    expect(await tables.members(draft)).toHaveLength(members);
  });

  it('show 20 of many members, the same after a restart', async () => {
    for (let n = 0; n < 40; n++) await deposit(`user-${n}`, 1);
    const draft = depositors('1');
    const trial = await orderTrial(tables, { kind: 'preview', draft, segments: [] });
    while ((await continueOne(tables, 7)) > 0);
    const sample = await readSample(queryable(tables.pool), trial.trialId);
    expect(sample).toHaveLength(20);
    expect(sample.every(({ comparisons }) => comparisons !== null)).toBe(true);
  });

  it('use the state of users, so that events beyond the store count, and list users only where it lacks them', async () => {
    tables.given.set(depositors('1'));
    await tables.storeLinks(link('ann', 'ready', 10));
    for (let part = 0; part < 3; part++)
      await tables.apply(
        Array.from({ length: 200 }, (_, n) =>
          userEvent({ id: `ann-${part}-${n}`, userId: 'ann', createdAt: nowS - dayS + part * 200 + n }),
        ),
      );
    expect(await tables.count('events')).toBe(500);
    const known = await preview(depositors('600'));
    expect(known.members).toBe(1);
    await tables.pool.query(`DELETE FROM engagement.event_histories`);
    const unknown = await preview(depositors('2'));
    expect(unknown.members).toBe(0);
    const capped = await readCapped(queryable(tables.pool), unknown.trialId, null, 10);
    expect(capped.map(({ userId }) => userId)).toEqual(['ann']);
  });

  async function deposit(userId: string, times: number): Promise<void> {
    await tables.storeLinks(link(userId, 'ready', 10));
    if (times > 0)
      await tables.apply(
        Array.from({ length: times }, (_, n) =>
          userEvent({ id: `${userId}-${n}`, userId, createdAt: nowS - dayS + n }),
        ),
      );
  }

  async function preview(draft: SegmentDefinition) {
    const trial = await orderTrial(tables, { kind: 'preview', draft, segments: [] });
    return runTrial(tables, trial);
  }
});
