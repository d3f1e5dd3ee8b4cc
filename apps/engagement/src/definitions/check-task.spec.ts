import { ErrorCode } from '@podium/messages';
import { acmeCatalogue, problemOf } from '../../test/acme-catalogue';
import { GivenTask, checkTask } from './check-task';

const deposits = { event: 'deposit' };
const count = { count: deposits, window: { lifetime: true }, op: 'gte', value: 1 };
const sum = { sum: deposits, attribute: 'amount', window: { lifetime: true }, op: 'gte', value: '10' };
const own = { count: deposits, op: 'gte', value: 1 };
const percent = { type: 'money', percent: '10', of: { attribute: 'paid' }, currency: 'EUR' };
const ofSum = { ...percent, of: { sum: deposits, attribute: 'paid' } };
const segmentId = '00000000-0000-4000-8000-000000000001';

const task = (changes: Partial<GivenTask> = {}): GivenTask => ({
  goal: count,
  repeat: { once: true },
  reward: { type: 'points', amount: '1' },
  ...changes,
});
const every = (step: unknown, goal: unknown = count): Partial<GivenTask> => ({
  goal,
  repeat: { every: step },
  max_per_user: 5,
});

describe('tasks', () => {
  it.each<[string, Partial<GivenTask>]>([
    ['once', {}],
    ['per week', { repeat: { per: 'week' } }],
    ['every N of a count', every(5)],
    ['every part of a sum', every('0.5', sum)],
    ['every since link', every('100', { ...sum, window: { since: 'link' } })],
    ['every between', every(1, { ...count, window: { between: ['2026-12-01T00:00:00Z', '2026-12-02T00:00:00Z'] } })],
    ['every over its dates', every(1, own)],
    ['dates', { starts_at: '2026-12-01T00:00:00Z', ends_at: '2026-12-31T23:59:59.5+02:00' }],
    ['the earliest and the latest date', { starts_at: '0000-01-01T00:00:00Z', ends_at: '9999-12-31T23:59:58.5Z' }],
    ['a goal that needs something and not another', { goal: { all: [count, { not: sum }] } }],
    ['a goal that holds without events', { goal: { not: count } }],
    ['eligible', { eligible: segmentId }],
    ['a budget', { budget: { total: 10_000, per_day: '500.50' } }],
    ['claw back', { claw_back: 'before_confirm' }],
    ['a percentage of the deciding event', { goal: own, reward: percent }],
    ['a percentage of a sum', { reward: { ...ofSum, floor: 1, cap: '50' }, eligible: segmentId }],
    ['a percentage of a converted sum', { reward: { ...ofSum, currency: undefined, convert_to: 'GBP' } }],
    [
      'a percentage of a converted event',
      { goal: own, reward: { ...percent, currency: undefined, convert_to: 'EUR' } },
    ],
    ['the digits of a currency', { reward: { type: 'money', amount: '0.1250', currency: 'KWD' } }],
    ['any digits of a unit of its own', { reward: { type: 'money', amount: '0.00012', currency: 'BTC' } }],
    ['an item', { reward: { type: 'item', amount: '2', item: 'ticket' } }],
  ])('takes %s', (_label, changes) => {
    expect(problemOf(() => checkTask(task(changes), acmeCatalogue()))).toBeNull();
  });

  it('returns the canonical body', () => {
    const given = {
      name: 'Three deposits',
      goal: {
        count: { event: 'deposit', where: [{ attribute: 'paid', op: 'gte', value: '20.0', currency: 'EUR' }] },
        op: 'gte',
        value: 3,
      },
      repeat: { per: 'month' },
      zone: 'Europe/Riga',
      max_per_user: 6,
      eligible: segmentId.toUpperCase(),
      starts_at: '2026-12-01T00:00:00+02:00',
      ends_at: '2027-06-01T00:00:00+03:00',
      reward: { type: 'money', amount: '5.00', currency: 'EUR' },
      budget: { total: '10000', per_day: 500 },
      claw_back: 'before_confirm',
    };
    expect(checkTask(given, acmeCatalogue()).body).toEqual({
      goal: {
        count: { event: 'deposit', where: [{ attribute: 'paid', op: 'gte', value: '20', currency: 'EUR' }] },
        window: { task: true },
        op: 'gte',
        value: '3',
      },
      repeat: { per: 'month' },
      zone: 'Europe/Riga',
      max_per_user: 6,
      eligible: segmentId,
      starts_at: 1796076000,
      ends_at: 1811797200,
      reward: { type: 'money', amount: '5.00', currency: 'EUR' },
      budget: { total: '10000', per_day: '500' },
      claw_back: 'before_confirm',
      max_per_event: 10,
    });
  });

  it.each<[Partial<GivenTask>, ErrorCode, string]>([
    [{ repeat: {} }, 'invalid_request', 'repeat: must be'],
    [{ repeat: { once: false } }, 'invalid_request', 'repeat.once: must be true'],
    [{ repeat: { once: true, every: 1 } }, 'invalid_request', 'repeat: must be'],
    [{ repeat: { per: 'year' } }, 'invalid_request', 'repeat.per: must be one of day, week, month'],
    [{ repeat: { weekly: true } }, 'invalid_request', 'repeat.weekly: is unknown; known fields are once, per, every'],
    [{ repeat: { every: 1 } }, 'invalid_request', 'max_per_user: a task that repeats with "every" has to state'],
    [every(0), 'invalid_request', 'repeat.every: '],
    [every('1.5'), 'invalid_request', 'repeat.every: must be a whole number'],
    [every('-1', sum), 'invalid_request', 'repeat.every: must be a decimal above 0'],
    [
      every(1, { all: [count] }),
      'unprocessable',
      'goal: a goal that repeats with "every" has to be one count or one sum',
    ],
    [every(1, { ...count, window: { rolling: 'P1D' } }), 'unprocessable', 'goal.window: '],
    [every(1, { ...count, window: { calendar: 'day' } }), 'unprocessable', 'goal.window: '],
    [every(1, { ...count, op: 'gt' }), 'unprocessable', 'goal.op: '],
    [{ max_per_user: 2 }, 'invalid_request', 'max_per_user: must be 1 or left out'],
    [{ max_per_user: 0 }, 'invalid_request', 'max_per_user: must be a whole number from 1 to 100000'],
    [{ max_per_event: 0 }, 'invalid_request', 'max_per_event: must be a whole number'],
    [{ eligible: 'segment' }, 'invalid_request', 'eligible: must be the id of a segment'],
    [{ budget: {} }, 'invalid_request', 'budget: must state total, per_day or both'],
    [{ budget: { total: 0 } }, 'invalid_request', 'budget.total: must be a decimal above 0'],
    [{ budget: { per_week: 1 } }, 'invalid_request', 'budget.per_week: is unknown'],
    [{ claw_back: 'sometimes' }, 'invalid_request', 'claw_back: must be one of none, before_confirm, always'],
    [{ zone: 'Riga' }, 'invalid_request', 'zone: must be the IANA name'],
    [{ starts_at: '2026-12-01' }, 'invalid_request', 'starts_at: must be an ISO 8601 time with its offset'],
    [{ starts_at: '1790000000' }, 'invalid_request', 'starts_at: '],
    [{ ends_at: '2026-13-01T00:00:00Z' }, 'invalid_request', 'ends_at: '],
    [{ ends_at: '9999-12-31T23:59:59.9999999Z' }, 'invalid_request', 'ends_at: must lie in the years 0000 to 9999'],
    [{ ends_at: '9999-12-31T23:59:59-01:00' }, 'invalid_request', 'ends_at: must lie in the years'],
    [{ starts_at: '0000-01-01T00:00:00+02:00' }, 'invalid_request', 'starts_at: must lie in the years'],
    [
      { starts_at: '2026-12-01T00:00:00Z', ends_at: '2026-12-01T01:00:00+01:00' },
      'invalid_request',
      'ends_at: must lie after',
    ],
    [{ reward: { type: 'points' } }, 'invalid_request', 'reward.amount: '],
    [{ reward: { type: 'points', amount: '1e3' } }, 'invalid_request', 'reward.amount: '],
    [{ reward: { type: 'points', amount: '0.00' } }, 'invalid_request', 'reward.amount: '],
    [
      { reward: { type: 'money', amount: '0.005', currency: 'EUR' } },
      'invalid_request',
      'reward.amount: must have at most 2 digits after the point, as amounts in EUR',
    ],
    [{ reward: { type: 'money', amount: '1.5', currency: 'JPY' } }, 'invalid_request', 'must have at most 0 digits'],
    [{ reward: { type: ' ', amount: '1' } }, 'invalid_request', 'reward.type: '],
    [{ reward: { type: 'points', amount: '1', bonus: 1 } }, 'invalid_request', 'reward.bonus: is unknown'],
    [{ reward: { ...ofSum, percent: 0 } }, 'invalid_request', 'reward.percent: must be a decimal above 0'],
    [{ reward: { ...ofSum, amount: '1' } }, 'invalid_request', 'reward.amount: is unknown'],
    [{ reward: { ...ofSum, currency: 'SEK' } }, 'invalid_request', 'reward.currency: must be one of EUR, USD'],
    [{ reward: { ...ofSum, currency: undefined } }, 'invalid_request', 'reward.currency: "paid" is money'],
    [{ reward: { ...ofSum, convert_to: 'EUR' } }, 'invalid_request', 'reward.convert_to: must not stand beside'],
    [
      { reward: { ...ofSum, currency: undefined, convert_to: 'EUR' }, zone: 'Europe/Riga' },
      'unprocessable',
      'reward.convert_to: needs the zone UTC',
    ],
    [{ reward: { ...ofSum, floor: 2, cap: '1.5' } }, 'invalid_request', 'reward.cap: must not be below floor'],
    [{ reward: { ...ofSum, floor: '0.005' } }, 'invalid_request', 'reward.floor: must have at most 2 digits after'],
    [
      { reward: { ...ofSum, currency: undefined, convert_to: 'JPY', floor: 1, cap: '99.5' } },
      'invalid_request',
      'reward.cap: must have at most 0 digits after the point, as amounts in JPY',
    ],
    [
      { reward: { ...ofSum, of: { sum: deposits, attribute: 'amount' } } },
      'unprocessable',
      'reward.of.attribute: "amount" is not money',
    ],
    [{ goal: own, reward: { ...percent, of: { attribute: 'amount' } } }, 'unprocessable', 'reward.of.attribute: '],
    [{ reward: percent }, 'unprocessable', 'goal.window: a percentage of the deciding event needs the default window'],
    [{ goal: { all: [own] }, reward: percent }, 'unprocessable', 'reward.of: a percentage of the deciding event needs'],
    [
      { goal: own, reward: percent, eligible: segmentId },
      'unprocessable',
      'eligible: a percentage of the deciding event',
    ],
  ])('refuses %j', (changes, code, message) => {
    const problem = problemOf(() => checkTask(task(changes), acmeCatalogue()));
    expect(problem).toEqual({ code, message: expect.stringContaining(message) as string });
  });
});
