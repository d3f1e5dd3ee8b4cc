import { userEvent } from '@podium/testing/user-event';
import { AppliedTables, deposit, link, nowS } from '../../test/applied-tables';
import { AwardTables } from '../../test/award-tables';
import { deposits, taskOf } from '../../test/given-definitions';
import { ApplyParts } from '../applying/apply-parts';
import { settleDue } from '../due/settle-due';
import { TaskDefinition } from '../evaluation/definition';
import { LiveDefinitions } from '../progress/live-definitions';

/** A deposit of two minutes before 12:00 leaves the window at 13:00. */
const dueS = nowS + 3_600;
const inactive = taskOf('00000000-0000-4000-8000-00000000000c', {
  goal: { not: { count: deposits, window: { rolling: 'PT2H' }, op: 'gte', value: '1' } },
  ...{ repeat: { once: true }, starts_at: nowS - 60, claw_back: 'always' },
});
const largeDeposits = { event: 'deposit', where: [{ attribute: 'amount', op: 'gte', value: '5' }] } as const;
const verifiedDeposit = taskOf('00000000-0000-4000-8000-00000000000d', {
  goal: {
    all: [
      { count: largeDeposits, window: { lifetime: true }, op: 'gte', value: '1' },
      { latest: 'kyc', where: [{ attribute: 'status', op: 'eq', value: 'passed' }] },
    ],
  },
  ...{ repeat: { once: true }, claw_back: 'before_confirm' },
});
const everyDeposit = taskOf('00000000-0000-4000-8000-00000000000e', {
  goal: { count: deposits, window: { lifetime: true }, op: 'gte', value: '1' },
  ...{ repeat: { every: '1' }, max_per_user: 1_000, claw_back: 'always' },
});

describe('awards of instances whose clocks differ by a second', () => {
  let tables: AppliedTables;
  let awards: AwardTables;
  let behind: ApplyParts;

  beforeAll(async () => {
    tables = await AppliedTables.create();
    awards = AwardTables.over(tables.pool);
  });
  afterAll(() => tables.drop());
  beforeEach(async () => {
    await tables.reset();
    behind = new ApplyParts(tables.pool, new LiveDefinitions(tables.given), () => tables.clockMs - 1_000);
  });

  it('stay where time has decided, after an event that changes nothing', async () => {
    await inactiveAwarded();
    await tables.apply([ofLink('old', dueS - 5 * 3_600)], behind);
    await untouched(inactive, 'user-1 g1:once: issued');
    tables.clockMs += 1_000;
    await settleDue(tables.parts, 10);
    await untouched(inactive, 'user-1 g1:once: issued');
  });

  it('are taken back once the clock has reached the second at which they were owed', async () => {
    await inactiveAwarded();
    await tables.apply([ofLink('undoing', dueS)], behind);
    await untouched(inactive, 'user-1 g1:once: issued');
    expect(await dueTimes(inactive)).toEqual([dueS]);
    expect((await settleDue(behind, 10)).settled).toBe(0);
    tables.clockMs += 1_000;
    expect(await settleDue(behind, 10)).toMatchObject({ settled: 1, reversals: [{}] });
    expect(await awards.ledgers()).toEqual(['user-1 g1:once: issued reversed']);
  });

  it.each([
    ['the newest', [ofLink('undoing', dueS - 60)]],
    ['beside a newer one', [ofLink('newer', dueS - 30), ofLink('undoing', dueS - 60)]],
  ])('are taken back where an event of before that second undoes them: %s', async (_which, events) => {
    await inactiveAwarded();
    await tables.apply(events, behind);
    await untouched(inactive, 'user-1 g1:once: issued');
    expect(await dueTimes(inactive)).toEqual([dueS]);
    tables.clockMs += 1_000;
    expect(await settleDue(tables.parts, 10)).toMatchObject({ settled: 1, reversals: [{}] });
    expect(await awards.ledgers()).toEqual(['user-1 g1:once: issued reversed']);
  });

  it('stay where an event of the newer second has decided, until what undoes it is in force', async () => {
    tables.given.set(verifiedDeposit);
    await tables.apply([kyc('k1', 'passed', nowS - 100), deposit('d1', 5, nowS)]);
    expect(await awards.ledgers()).toEqual(['user-1 g1:once: issued']);
    await tables.apply([deposit('small', 1, nowS - 50)], behind);
    await untouched(verifiedDeposit, 'user-1 g1:once: issued');
    // The newest of its second, by its id.
    await tables.apply([kyc('k2', 'review', nowS)], behind);
    await untouched(verifiedDeposit, 'user-1 g1:once: issued');
    expect(await dueTimes(verifiedDeposit)).toEqual([nowS]);
    expect(await settleDue(tables.parts, 10)).toMatchObject({ settled: 1, reversals: [{}] });
    expect(await awards.ledgers()).toEqual(['user-1 g1:once: issued reversed']);
    expect(await dueTimes(verifiedDeposit)).toEqual([]);
  });

  it('move to an earlier second, and the step of the newer one is issued when the clock is there', async () => {
    tables.given.set(everyDeposit);
    await tables.apply([deposit('d1', 5, nowS)]);
    await tables.apply([deposit('d0', 5, nowS - 10)], behind);
    await untouched(everyDeposit, 'user-1 g1:every:1: issued');
    expect((await tables.pool.query('SELECT owed_at FROM engagement.awards')).rows).toEqual([{ owed_at: nowS - 10 }]);
    expect(await settleDue(tables.parts, 10)).toMatchObject({ settled: 1, awards: [{}] });
    expect(await awards.ledgers()).toEqual(['user-1 g1:every:1: issued', 'user-1 g1:every:2: issued']);
  });

  it('that a pause holds keep their row, and are paid when the clock is there', async () => {
    tables.given.set({ ...verifiedDeposit, paused: true });
    await tables.apply([kyc('k1', 'passed', nowS - 100), deposit('d1', 5, nowS)]);
    const rows = async () => (await tables.pool.query('SELECT *, xmin FROM engagement.unissued_awards')).rows;
    const held = await rows();
    expect(held).toMatchObject([{ status: 'held_by_pause', reached_at: nowS }]);
    tables.given.set(verifiedDeposit);
    await tables.apply([deposit('small', 1, nowS - 50)], behind);
    expect(await rows()).toEqual(held);
    expect(await dueTimes(verifiedDeposit)).toEqual([nowS]);
    expect(await settleDue(tables.parts, 10)).toMatchObject({ settled: 1, awards: [{}] });
    expect(await awards.unissued()).toEqual([]);
  });

  it('are paid to a link that begins by the clock of linkage alone, as soon as it has begun', async () => {
    tables.given.set(inactive);
    await tables.apply([ofLink('d1', nowS - 120)]);
    const unlinked = link('user-1', 'unlinked', 20);
    await tables.storeLinks({ ...unlinked, data: { ...unlinked.data, linked_at: nowS - 990, unlinked_at: nowS - 10 } });
    tables.clockMs = dueS * 1000;
    await settleDue(tables.parts, 10);
    expect(await awards.unissued()).toEqual(['user-1 unlinked g1:once 1-1']);
    const { revision, data } = link('user-1', 'ready', 30);
    await tables.storeLinks({ revision, data: { ...data, linked_at: dueS + 1 } });
    expect(await awards.ledgers()).toEqual([]);
    expect(await dueTimes(inactive)).toEqual([dueS + 1]);
    tables.clockMs += 1_000;
    expect(await settleDue(tables.parts, 10)).toMatchObject({ settled: 1, awards: [{}] });
    expect(await awards.ledgers()).toEqual(['user-1 g1:once: issued']);
  });

  /** Time decides at `dueS`, by the clock that is ahead. */
  async function inactiveAwarded(): Promise<void> {
    tables.given.set(inactive);
    await tables.apply([ofLink('d1', nowS - 120)]);
    await tables.linkUsers('user-1');
    tables.clockMs = dueS * 1000;
    expect(await settleDue(tables.parts, 10)).toMatchObject({ settled: 1, awards: [{}] });
  }

  async function untouched(task: TaskDefinition, ledger: string): Promise<void> {
    expect(await awards.ledgers()).toEqual([ledger]);
    expect(await awards.published()).toHaveLength(1);
    expect(await tables.count('awards', `task_id = '${task.definitionId}' AND NOT reversed`)).toBe(1);
  }

  async function dueTimes({ definitionId }: TaskDefinition): Promise<number[]> {
    const { rows } = await tables.pool.query<{ due_at: number }>(
      'SELECT due_at FROM engagement.due_times WHERE definition_id = $1',
      [definitionId],
    );
    return rows.map(({ due_at }) => due_at);
  }
});

/** A deposit under the link that `linkUsers` records. */
function ofLink(id: string, createdAt: number) {
  return { ...deposit(id, 5, createdAt), linked_at: nowS - 990 };
}

function kyc(id: string, status: string, createdAt: number) {
  return userEvent({ id, name: 'kyc', createdAt, attributes: { status } });
}
