import { inTransaction } from '@podium/runtime/postgres';
import { AwardTables } from '../../test/award-tables';
import { every, findingOf, nowMs, owedAgo, taskOf } from '../../test/task-findings';
import { LockedUser, lockUsers } from '../users/users.store';
import { RowPayment, payUnissued } from './pay-unissued';

const task = taskOf({ max_per_user: 9, max_per_event: 1, claw_back: 'before_confirm' });

describe('the payment of what waits for an approver', () => {
  let tables: AwardTables;
  let ann: LockedUser;

  beforeAll(async () => {
    tables = await AwardTables.create();
    [ann] = await tables.users('ann');
  });
  afterAll(() => tables.drop());

  it('issues no occurrence again whose reversal the bonus engine has refused since it was held', async () => {
    const reach = (first: number, last: number) =>
      tables.settle([findingOf(task, [owedAgo(30, every(first, last))], { user: ann })]);
    const [{ award }] = (await reach(3, 3)).issued;
    await reach(2, 2);
    await reach(2, 3);
    expect(await tables.unissued()).toEqual(['ann held_by_limit g1:every 3-3']);
    await tables.answer({ award_id: award.award_id, seq: 2, result: 'rejected' });
    expect(await pay(3)).toEqual({ issued: 0, left: 0, reason: null });
    expect(await tables.ledgers()).toEqual(['ann g1:every:2: issued', 'ann g1:every:3: issued reversed rejected']);
    expect(await tables.unissued()).toEqual([]);
  });

  async function pay(n: number): Promise<RowPayment> {
    const { rows } = await inTransaction(tables.pool, async (tx) => {
      await lockUsers(tx, [ann]);
      const wanted = [{ user: ann, range: { series: 'g1:every', first: n, last: n } }];
      return payUnissued(tx, task, wanted, { nowMs, approver: 'operator-3' });
    });
    return rows[0];
  }
});
