import { queryable } from '@podium/runtime/postgres';
import { AwardTables } from '../../test/award-tables';
import { every, findingOf, nowS, one, owedAgo, taskOf } from '../../test/task-findings';
import { Owed } from '../evaluation/owed';
import { TaskBody, TaskDefinition } from '../evaluation/definition';
import { readRecordedOccurrences } from '../reports/task-awards.queries';
import { LockedUser } from '../users/users.store';
import { occurrenceStates } from './occurrence-states';

describe('the states of occurrences that are reached again after a reversal', () => {
  let tables: AwardTables;
  let user: LockedUser;

  beforeAll(async () => {
    tables = await AwardTables.create();
  });
  afterAll(() => tables.drop());
  beforeEach(async () => {
    await tables.clear();
    [user] = await tables.users('ann');
  });

  it('are withheld where the budget does not suffice, and issued beside that', async () => {
    const task = taskOf({ budget: { total: '4' }, claw_back: 'always' });
    const owed = ['1', '2', '1'].map((amount, n) =>
      owedAgo(50 - n, every(n + 1), { reward: { type: 'points', amount } }),
    );
    await settle(task, owed);
    await settle(task, []);
    const { rows } = await tables.pool.query<{ award_id: string }>(
      `SELECT award_id FROM engagement.awards WHERE occurrence <> 'g1:every:2'`,
    );
    await tables.answer(...rows.map(({ award_id }) => ({ award_id, seq: 2, result: 'confirmed' as const })));
    await settle(task, owed);
    expect(await tables.ledgers()).toEqual([
      'ann g1:every:1: issued reversed confirmed issued',
      'ann g1:every:2: issued reversed',
      'ann g1:every:3: issued reversed confirmed issued',
    ]);
    expect(await explained(task, owed)).toEqual(['1-1 issued', '2-2 withheld budget_total', '3-3 issued']);
    expect(await explained(task, [])).toEqual(['1-1 issued', '2-2 withheld budget_total', '3-3 issued']);
  });

  it.each<[string, Partial<TaskBody>, Owed, string]>([
    ['every', {}, owedAgo(30, every(1, 3)), '1-3 held_by_pause'],
    ['once', { repeat: { once: true } }, owedAgo(30, one('g1:once')), '1-1 held_by_pause'],
    ['per', { repeat: { per: 'month' } }, owedAgo(30, one('2026-11')), '1-1 held_by_pause'],
  ])('are held by a pause, each once: %s', async (_repeat, body, owing, expected) => {
    const task = taskOf({ ...body, claw_back: 'always' });
    await settle(task, [owing]);
    await settle(task, []);
    await settle({ ...task, paused: true }, [owing]);
    expect(await explained(task, [owing])).toEqual([expected]);
    expect(await explained(task, [])).toEqual([expected]);
  });

  async function settle(task: TaskDefinition, owed: readonly Owed[]): Promise<void> {
    await tables.settle([findingOf(task, owed, { user })]);
  }

  async function explained({ definitionId: taskId }: TaskDefinition, owed: readonly Owed[]): Promise<string[]> {
    const recorded = await readRecordedOccurrences(queryable(tables.pool), { ...user, taskId }, nowS);
    return occurrenceStates(owed, recorded, nowS, Infinity).map(({ range, state, reason }) =>
      [`${range.first}-${range.last}`, state, ...(reason === null ? [] : [reason])].join(' '),
    );
  }
});
