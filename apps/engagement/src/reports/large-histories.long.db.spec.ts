import { Operator } from '@podium/runtime/http';
import { inTransaction } from '@podium/runtime/postgres';
import { AppliedTables, nowS, verified } from '../../test/applied-tables';
import { deposits, taskOf } from '../../test/given-definitions';
import { HeldEvents } from '../../test/held-events';
import { HistoryEvent } from '../evaluation/history';
import { addEvent } from '../history/change-history';
import { writeHistories } from '../history/histories.store';
import { StoredHistory } from '../history/stored-history';
import { Exports } from './export-lines';
import { pageOfReport } from './report';
import { ProgressReply } from './report.dto';
import { ReportsService } from './reports.service';

const dayS = 86_400;
const task = taskOf('00000000-0000-4000-8000-000000000001', {
  goal: { sum: deposits, attribute: 'amount', window: { rolling: 'P30D' }, op: 'gte', value: '1000000' },
  repeat: { per: 'month' },
  eligible: verified.definitionId,
});
/** What a part may hold (`users-at-once.ts`). */
const eventsAtOnce = 20_000;
/** Of a history, within what is kept singly; and of the store, within its cap per month, for a name that has no history yet. */
const events = { kept: 1_900, stored: 490 };
const keptUsers = Array.from({ length: 24 }, (_, n) => `kept-${String(n).padStart(2, '0')}`);
const storedUsers = Array.from({ length: 60 }, (_, n) => `stored-${String(n).padStart(2, '0')}`);
const operator: Operator = { operatorId: 'op', roles: new Map([['*', ['viewer']]]) };

describe('progress of users with large histories', () => {
  let tables: AppliedTables;
  let reports: ReportsService;
  let held: HeldEvents;

  beforeAll(async () => {
    tables = await AppliedTables.create();
    tables.given.set(task, verified);
    const visible = { requireVisible: () => Promise.resolve('organizer-1') };
    reports = new ReportsService(tables.pool, visible, tables.parts.definitions, () => nowS * 1000);
    await seed();
  });
  afterAll(() => tables.drop());
  beforeEach(() => (held = HeldEvents.count(eventsAtOnce)));
  afterEach(() => held.stop());

  it('is read in full pages, of which no more events are held at once than fit into memory', async () => {
    const report = await reports.progress(operator, task.definitionId);
    const page = await pageOfReport(report, { limit: 80 });
    expect(page.items).toHaveLength(80);
    expectProgress(
      page.items.map(({ user_id, value }) => [user_id, value]),
      80,
    );
    const last = await pageOfReport(await reports.progress(operator, task.definitionId, page.next_cursor!), {
      limit: 80,
    });
    expect(last.items.map(({ user_id }) => user_id)).toEqual(storedUsers.slice(-4));
    expect(last.next_cursor).toBeNull();
    expectBound();
  });

  it('is exported in the same order with the same values, and no more events are held at once', async () => {
    const report = await reports.progress(operator, task.definitionId);
    const lines = (await new Exports().stream(report)).setEncoding('utf8');
    let text = '';
    for await (const chunk of lines) text += chunk as string;
    const items = text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as ProgressReply & { cursor: string });
    expectProgress(
      items.map(({ user_id, value }) => [user_id, value]),
      keptUsers.length + storedUsers.length,
    );
    const rest = await reports.progress(operator, task.definitionId, items[20].cursor);
    expect((await pageOfReport(rest, { limit: 2 })).items.map(({ user_id }) => user_id)).toEqual(
      keptUsers.slice(21, 23),
    );
    expectBound();
  });

  it('leaves out users who are erased after they were listed', async () => {
    const query = tables.pool.query.bind(tables.pool);
    const listing = jest.spyOn(tables.pool, 'query').mockImplementationOnce((async (
      text: string,
      values: unknown[],
    ) => {
      const listed = await query(text, values);
      await query(`DELETE FROM engagement.users WHERE user_id = $1`, [keptUsers[1]]);
      return listed;
    }) as never);
    const report = await reports.progress(operator, task.definitionId);
    const { items, next_cursor } = await pageOfReport(report, { limit: 3 });
    listing.mockRestore();
    expect(items.map(({ user_id }) => user_id)).toEqual([keptUsers[0], keptUsers[2]]);
    const next = await pageOfReport(await reports.progress(operator, task.definitionId, next_cursor!), { limit: 1 });
    expect(next.items.map(({ user_id }) => user_id)).toEqual([keptUsers[3]]);
  });

  function expectBound(): void {
    // Not vacuous: all events are decoded, and a part is nearly full.
    expect(held.decoded).toBeGreaterThanOrEqual(keptUsers.length * events.kept + storedUsers.length * events.stored);
    expect(held.most).toBeGreaterThan(eventsAtOnce / 4);
    expect(held.most).toBeLessThanOrEqual(eventsAtOnce);
  }

  function expectProgress(found: [string, string | null][], count: number): void {
    const expected = [
      ...keptUsers.map((user) => [user, String(events.kept)]),
      ...storedUsers.map((user) => [user, '1']),
    ];
    expect(found).toEqual(expected.slice(0, count));
  }

  /** Users with large histories, and users whose events of the eligible segment's name are still to be read from the store. */
  async function seed(): Promise<void> {
    const { rows } = await tables.pool.query<{ user_ref: number; user_id: string }>(
      `INSERT INTO engagement.users (platform, user_id) SELECT 'acme', * FROM unnest($1::text[])
       RETURNING user_ref, user_id`,
      [[...keptUsers, ...storedUsers]],
    );
    const refs = new Map(rows.map(({ user_ref, user_id }) => [user_id, user_ref]));
    const kept = (await inTransaction(tables.pool, (tx) => tables.parts.definitions.current(tx))).keptState(
      'acme',
      'deposit',
    );
    const histories = [...keptUsers, ...storedUsers].map((user) => {
      const history = new StoredHistory();
      const count = keptUsers.includes(user) ? events.kept : 1;
      for (let n = 0; n < count; n++) addEvent(history, depositOf(user, n), kept);
      return { userRef: refs.get(user)!, name: 'deposit', history };
    });
    await inTransaction(tables.pool, (tx) => writeHistories(tx, histories));
    await tables.pool.query(
      `INSERT INTO engagement.events (user_ref, month, name, created_at, event_id, kind, platform_user_id, attributes,
         contract_version, link_id, linked_at, received_at, in_history)
       SELECT user_ref, 202611, 'kyc', $2::bigint + n * 600, gen_random_uuid(), 'repeatable', 'sub', '[["status", "passed"]]',
         1, 'l', 1, ($2::bigint + n * 600) * 1000, true
       FROM unnest($1::bigint[]) AS user_ref, generate_series(1, $3::int) AS n`,
      [storedUsers.map((user) => refs.get(user)!), nowS - 10 * dayS, events.stored],
    );
  }
});

function depositOf(user: string, n: number): HistoryEvent {
  const createdAt = nowS - 10 * dayS + n * 60;
  return {
    ...{
      id: `${user}-${String(n).padStart(36 - user.length - 1, '0')}`,
      name: 'deposit',
      createdAt,
      receivedAt: createdAt,
    },
    ...{ linkedAt: 1, account: 'sub', contractVersion: 1, attributes: { amount: '1' } },
  };
}
