import { AppliedTables, deposit, link, nowS } from '../../test/applied-tables';
import { deposits, taskOf } from '../../test/given-definitions';
import { ApplyParts } from '../applying/apply-parts';
import { LiveDefinitions } from '../progress/live-definitions';
import { settleDue } from './settle-due';

/** A deposit of two minutes before 12:00 leaves the window at 13:00. */
const dueS = nowS + 3_600;
const inactive = taskOf('00000000-0000-4000-8000-00000000000c', {
  goal: { not: { count: deposits, window: { rolling: 'PT2H' }, op: 'gte', value: '1' } },
  repeat: { once: true },
  starts_at: nowS - 60,
});

describe('awards that time decides', () => {
  let tables: AppliedTables;
  let parts: ApplyParts;
  let passedS: number;

  beforeAll(async () => {
    tables = await AppliedTables.create();
  });
  afterAll(() => tables.drop());
  beforeEach(async () => {
    await tables.reset();
    tables.given.set(inactive);
    passedS = nowS;
    const live = new LiveDefinitions(tables.given);
    const progress = { passedS: () => passedS };
    parts = new ApplyParts(tables.pool, live, () => tables.clockMs, undefined, undefined, progress);
    tables.parts = parts;
    await tables.apply([{ ...deposit('d1', 5, nowS - 120), linked_at: nowS - 990 }]);
    await tables.linkUsers('user-1');
    tables.clockMs = (dueS + 5) * 1000;
    passedS = dueS - 1;
  });

  it('wait until the view of links has passed their instant, whatever evaluates them', async () => {
    expect(await settleDue(parts, 10)).toMatchObject({ settled: 0, users: 0 });
    await tables.apply([{ ...deposit('d0', 5, nowS - 4 * 3_600), linked_at: nowS - 990 }]);
    expect(await tables.count('awards')).toBe(0);
    expect(await tables.count('due_times', `due_at = ${dueS}`)).toBe(1);
    passedS = dueS;
    expect(await settleDue(parts, 10)).toMatchObject({ settled: 1, awards: [{}] });
    expect(await tables.count('awards', `platform_user_id = 'sub-of-user-1'`)).toBe(1);
    expect(await tables.count('due_times')).toBe(0);
  });

  it('are not paid to a link that ended before, though its record came later', async () => {
    const { revision, data } = link('user-1', 'unlinked', 20);
    await tables.storeLinks({ revision, data: { ...data, linked_at: nowS - 990, unlinked_at: dueS - 30 } });
    expect(await tables.count('awards')).toBe(0);
    passedS = dueS + 5;
    await settleDue(parts, 10);
    expect(await tables.count('awards')).toBe(0);
    expect(await tables.count('unissued_awards', `status = 'unlinked'`)).toBe(1);
  });

  it('that were issued before stay, when another instance knows less of the links', async () => {
    passedS = dueS;
    await settleDue(parts, 10);
    passedS = dueS - 1;
    await tables.apply([{ ...deposit('d0', 5, nowS - 4 * 3_600), linked_at: nowS - 990 }]);
    expect(await tables.count('awards', 'NOT reversed')).toBe(1);
  });
});
