import { UserEventData } from '@podium/messages';
import { userEvent } from '@podium/testing/user-event';
import { AppliedTables, nowS } from '../../test/applied-tables';
import { deposits, taskOf } from '../../test/given-definitions';
import { TaskDefinition } from '../evaluation/definition';

const window = { lifetime: true } as const;
const repaid: TaskDefinition = {
  ...taskOf('00000000-0000-4000-8000-000000000031', {
    goal: { count: deposits, window, op: 'gte', value: '3' },
    repeat: { once: true },
    reward: {
      ...{ type: 'money', percent: '100', currency: 'EUR' },
      of: { sum: deposits, attribute: 'amount', window },
    },
  }),
  specs: {
    deposit: { amount: { type: 'decimal', currencyAttribute: 'currency', currencies: { EUR: 1 } } },
  },
};

function deposit(id: string, amount: string): UserEventData {
  return userEvent({ id, createdAt: nowS, attributes: { amount, currency: 'EUR' } });
}

describe('a formula whose amount has more than 18 digits before the point', () => {
  let tables: AppliedTables;

  beforeAll(async () => {
    tables = await AppliedTables.create();
  });
  afterAll(() => tables.drop());

  it('withholds the award until it has fewer, and the events of the user are applied', async () => {
    tables.given.set(repaid);
    await tables.linkUsers('user-1');
    for (const id of ['a', 'b', 'c', 'd']) await tables.apply([deposit(id, '900000000000000000')]);
    const { rows } = await tables.pool.query('SELECT status, reason FROM engagement.unissued_awards');
    expect(rows).toEqual([{ status: 'withheld', reason: 'amount_too_large' }]);
    expect([await tables.count('events'), await tables.count('awards')]).toEqual([4, 0]);
    for (const id of ['e', 'f', 'g']) await tables.apply([deposit(id, '-900000000000000000')]);
    expect([await tables.count('unissued_awards'), await tables.count('awards')]).toEqual([0, 1]);
  });
});
