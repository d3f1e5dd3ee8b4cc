import { identityDigest } from '@podium/messages';
import { AwardTables } from '../../test/award-tables';
import { every, findingOf, nowS, one, owedAgo, taskOf } from '../../test/task-findings';
import { EraseUsers } from './erase-users';

describe('the erasure of a user with awards', () => {
  let tables: AwardTables;

  beforeAll(async () => {
    tables = await AwardTables.create();
  });
  afterAll(() => tables.drop());

  it('removes evidence and what was not issued, and keeps user and account paid under pseudonyms', async () => {
    const task = taskOf({ repeat: { once: true }, max_per_event: 1, max_per_user: 9, claw_back: 'always' });
    const [ann, bob] = await tables.users('ann', 'bob');
    const once = [owedAgo(30, one('g1:once'))];
    await tables.settle([findingOf(task, once, { user: ann })]);
    const other = taskOf(
      { max_per_event: 1, max_per_user: 9 },
      { definitionId: '00000000-0000-4000-8000-000000000002' },
    );
    for (const [user, account] of [
      [ann, 'account-1'],
      [bob, 'account-2'],
    ] as const)
      await tables.settle([findingOf(other, [owedAgo(30, every(1, 3), { account })], { user })]);
    await new EraseUsers(tables.pool).apply({
      ...{ topic: 'erasures', partition: 0, position: 'any', nextOffset: 1n },
      erasures: [{ erasure_id: 'e', users: [identityDigest('acme', 'ann').toString('hex')], erased_at: nowS }],
    });

    expect(await tables.unissued()).toEqual(['bob held_by_limit g1:every 2-3']);
    const { rows } = await tables.pool.query(
      `SELECT user_id FROM engagement.award_evidence JOIN engagement.awards USING (award_id)`,
    );
    expect(rows).toEqual([{ user_id: 'bob' }]);
    const [again] = await tables.users('ann');
    for (const user of [again, bob])
      expect((await tables.settle([findingOf(task, once, { user })])).issued).toEqual([]);
    expect((await tables.settle([findingOf(task, [], { user: again })])).reversed).toEqual([]);
  });
});
