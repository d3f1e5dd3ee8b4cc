import { CodedError, ErrorCode, IntegrationData } from '@podium/messages';
import { Catalogue, PlatformCatalogue } from './catalogue';
import { GivenTask, checkSegment, checkTask } from './check-body';

const integration: IntegrationData = {
  integration_id: 'i',
  platform: 'acme',
  partner: 'Acme',
  organizer_id: 'organizer-1',
  status: 'active',
  contracts: [
    { version: 1, in_force_from: 0, events: [] },
    {
      version: 2,
      in_force_from: 0,
      events: [
        {
          name: 'deposit',
          kind: 'repeatable',
          attributes: [
            { name: 'amount', type: 'decimal' },
            { name: 'level', type: 'integer' },
            { name: 'currency', type: 'currency' },
            { name: 'method', type: 'string' },
            { name: 'first', type: 'boolean' },
            { name: 'valued_at', type: 'timestamp' },
            { name: '__proto__', type: 'decimal' },
            { name: 'old', type: 'decimal', retired: true },
          ],
        },
        { name: 'gone', kind: 'one_off', retired: true, attributes: [] },
        { name: 'constructor', kind: 'one_off', attributes: [] },
      ],
    },
  ],
};

function acme(): PlatformCatalogue {
  const catalogue = new Catalogue();
  catalogue.apply('acme', { data: integration } as never);
  return catalogue.of('acme');
}

const count = { count: { event: 'deposit' }, window: { lifetime: true }, op: 'gte', value: 1 };
const sum = { sum: { event: 'deposit' }, attribute: 'amount', window: { lifetime: true }, op: 'gte', value: '10' };
const where = (test: unknown): unknown => ({ ...count, count: { event: 'deposit', where: [test] } });
const test = (attribute: string, op: string, value?: unknown): unknown => where({ attribute, op, value });
const windowed = (window: unknown): unknown => ({ ...count, window });
const task = (changes: Partial<GivenTask> = {}): GivenTask => ({
  goal: count,
  repeat: { once: true },
  reward: { type: 'points', amount: '1' },
  ...changes,
});

function problemOf(check: () => unknown): { code: ErrorCode; message: string } | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof CodedError) return { code: error.code, message: error.message };
    throw error;
  }
}

describe('conditions', () => {
  it.each<[string, unknown]>([
    ['count', count],
    ['count by text', { ...count, value: '3' }],
    ['sum', sum],
    ['latest', { latest: 'deposit', where: [{ attribute: 'method', op: 'eq', value: 'card' }] }],
    ['all, any, not', { all: [{ any: [count, { not: sum }] }] }],
    ['since link', windowed({ since: 'link' })],
    ['days', windowed({ rolling: 'P366D' })],
    ['weeks', windowed({ rolling: 'P52W' })],
    ['hours', windowed({ rolling: 'PT744H' })],
    ['decimal order', test('amount', 'lt', '-0.5')],
    ['a JSON number', test('amount', 'gte', 50.25)],
    ['integer', test('level', 'eq', '3')],
    ['boolean', test('first', 'eq', true)],
    ['timestamp', test('valued_at', 'gt', '2026-11-20T10:00:00+02:00')],
    ['Unix seconds', test('valued_at', 'gt', 1790000000)],
    ['currency', test('currency', 'in', ['EUR', 'USD'])],
    ['exists', where({ attribute: 'method', op: 'exists' })],
    ['a name like a prototype', test('__proto__', 'gt', '1')],
    ['an event like a prototype', { ...count, count: { event: 'constructor' } }],
  ])('takes %s', (_label, condition) => {
    expect(checkSegment({ condition }, acme()).body.condition).toEqual(condition);
  });

  it('treats an empty list of tests as no tests', () => {
    const condition = { ...count, count: { event: 'deposit', where: [] } };
    expect(checkSegment({ condition }, acme()).body.condition).toEqual(count);
  });

  it('collects the negotiated types of the named attributes, as own properties', () => {
    const { attributeTypes } = checkSegment({ condition: { all: [sum, test('__proto__', 'gt', '1')] } }, acme());
    expect(JSON.stringify(attributeTypes)).toBe('{"deposit":{"amount":"decimal","__proto__":"decimal"}}');
  });

  it.each<[unknown, ErrorCode, string]>([
    [[], 'invalid_request', 'condition: must be an object with exactly one of'],
    [{}, 'invalid_request', 'condition: must be an object with exactly one of'],
    [{ ...count, sum: {} }, 'invalid_request', 'condition: must be an object with exactly one of'],
    [{ ...count, extra: 1 }, 'invalid_request', 'condition.extra: is unknown'],
    [{ all: [] }, 'invalid_request', 'condition.all: must be a list'],
    [{ all: [count, { not: 3 }] }, 'invalid_request', 'condition.all[1].not: '],
    [{ all: Array.from({ length: 21 }, () => count) }, 'invalid_request', 'condition.all: must be a list of 1 to 20'],
    [deep(9), 'invalid_request', 'conditions may lie 8 deep'],
    [{ all: [wide(20), wide(20), wide(20)] }, 'invalid_request', 'may have 50 parts'],
    ...['min', 'max', 'distinct', 'absent', 'sequence', 'streak', 'in_segment'].map(
      (head): [unknown, ErrorCode, string] => [
        { any: [{ [head]: {} }] },
        'unprocessable',
        `condition.any[0].${head}: the condition "${head}" is not supported yet`,
      ],
    ),
    [windowed({ calendar: 'day', zone: 'UTC' }), 'unprocessable', 'condition.window.calendar: '],
    [windowed({ between: [] }), 'unprocessable', 'condition.window.between: '],
    [windowed({ since: 'task_start' }), 'unprocessable', 'condition.window.since: '],
    [windowed({ since: 'birth' }), 'invalid_request', 'condition.window: '],
    [windowed({ lifetime: false }), 'invalid_request', 'condition.window: '],
    [windowed({ lifetime: true, rolling: 'P1D' }), 'invalid_request', 'condition.window: '],
    [windowed(undefined), 'invalid_request', 'condition.window: '],
    ...['P0D', 'P367D', 'PT745H', 'P1DT6H', 'P1M', 'PT30M', 'P-1D', '30D', 'P01D', 'p1d'].map(
      (rolling): [unknown, ErrorCode, string] => [
        windowed({ rolling }),
        'invalid_request',
        'condition.window.rolling: must be an ISO 8601 duration',
      ],
    ),
    [{ ...count, op: 'equals' }, 'invalid_request', 'condition.op: must be one of eq'],
    [{ ...count, op: 'in' }, 'invalid_request', 'condition.op: '],
    ...[-1, 1.5, '1e3', null, '1000000000', true].map((value): [unknown, ErrorCode, string] => [
      { ...count, value },
      'invalid_request',
      'condition.value: must be a whole number',
    ]),
    ...['1e3', '1.', '1234567890123456789', '0.0000000001', 1e21, null].map((value): [unknown, ErrorCode, string] => [
      { ...sum, value },
      'invalid_request',
      'condition.value: must be a decimal',
    ]),
    [{ ...sum, attribute: 'method' }, 'unprocessable', 'condition.attribute: a sum needs an integer or decimal'],
    [{ ...sum, attribute: 'currency' }, 'unprocessable', 'condition.attribute: a sum needs'],
    [{ ...sum, attribute: undefined }, 'invalid_request', 'condition.attribute: '],
    [
      { ...count, count: { event: 'Deposit' } },
      'unprocessable',
      'condition.count.event: the event "Deposit" is not negotiated',
    ],
    [{ ...count, count: { event: 'toString' } }, 'unprocessable', 'condition.count.event: '],
    [{ ...count, count: { event: 'gone' } }, 'unprocessable', 'the event "gone" is retired'],
    [{ ...count, count: {} }, 'invalid_request', 'condition.count.event: '],
    [{ latest: 'deposit' }, 'invalid_request', 'condition.where: must be a list'],
    [test('Amount', 'eq', '1'), 'unprocessable', 'condition.count.where[0].attribute: the attribute "Amount"'],
    [test('old', 'eq', '1'), 'unprocessable', 'is retired'],
    [test('method', 'gte', 'a'), 'unprocessable', 'condition.count.where[0].op: gte needs an integer'],
    [test('first', 'lt', true), 'unprocessable', 'condition.count.where[0].op: '],
    [test('amount', 'eq', 'ten'), 'invalid_request', 'condition.count.where[0].value: must be of type decimal'],
    [test('level', 'eq', '1.5'), 'invalid_request', 'condition.count.where[0].value: must be of type integer'],
    [test('currency', 'eq', 'eur'), 'invalid_request', 'must be of type currency'],
    [test('valued_at', 'gt', '2026-02-30T00:00:00Z'), 'invalid_request', 'must be of type timestamp'],
    [test('valued_at', 'gt', '2026-02-03T00:00:00'), 'invalid_request', 'must be of type timestamp'],
    [test('method', 'eq', 'a\0b'), 'invalid_request', 'condition.count.where[0].value: '],
    [test('method', 'eq', '\ud800'), 'invalid_request', 'condition.count.where[0].value: '],
    [test('method', 'eq'), 'invalid_request', 'condition.count.where[0].value: '],
    [test('method', 'in', []), 'invalid_request', 'condition.count.where[0].value: must be a list'],
    [test('amount', 'in', ['1', 'x']), 'invalid_request', 'condition.count.where[0].value[1]: '],
    [test('method', 'exists', 'x'), 'invalid_request', 'exists takes no value'],
    [test('method', 'matches', 'x'), 'invalid_request', 'condition.count.where[0].op: must be one of'],
  ])('refuses %j', (condition, code, message) => {
    const problem = problemOf(() => checkSegment({ condition }, acme()));
    expect(problem).toEqual({ code, message: expect.stringContaining(message) as string });
  });
});

describe('tasks', () => {
  it.each<[string, GivenTask]>([
    ['once', task()],
    ['every N of a count', task({ repeat: { every: 5 } })],
    ['every part of a sum', task({ goal: sum, repeat: { every: '0.5' } })],
    ['since link', task({ goal: { ...sum, window: { since: 'link' } }, repeat: { every: '100' } })],
    ['dates', task({ starts_at: '2026-12-01T00:00:00Z', ends_at: '2026-12-31T23:59:59.5+02:00', max_per_user: 3 })],
    ['a goal that needs something and not another', task({ goal: { all: [count, { not: sum }] } })],
  ])('takes %s', (_label, given) => {
    expect(checkTask(given, acme()).body).toEqual(given);
  });

  it.each<[Partial<GivenTask>, ErrorCode, string]>([
    [{ goal: { not: count } }, 'unprocessable', 'goal: holds for a user without any event'],
    [{ goal: { ...count, value: 0 } }, 'unprocessable', 'goal: holds for a user without any event'],
    [{ goal: { ...sum, op: 'lt' } }, 'unprocessable', 'goal: holds'],
    [{ repeat: { per: 'day' } }, 'unprocessable', 'repeat.per: '],
    [{ repeat: {} }, 'invalid_request', 'repeat: must be'],
    [{ repeat: { once: false } }, 'invalid_request', 'repeat: must be'],
    [{ repeat: { once: true, every: 1 } }, 'invalid_request', 'repeat: must be'],
    [{ repeat: { every: 0 } }, 'invalid_request', 'repeat.every: '],
    [{ repeat: { every: '1.5' } }, 'invalid_request', 'repeat.every: must be a whole number'],
    [{ goal: sum, repeat: { every: '-1' } }, 'invalid_request', 'repeat.every: must be a decimal above 0'],
    [
      { goal: { all: [count] }, repeat: { every: 1 } },
      'unprocessable',
      'goal: a goal that repeats has to be one count or one sum',
    ],
    [{ goal: windowed({ rolling: 'P1D' }), repeat: { every: 1 } }, 'unprocessable', 'goal.window: '],
    [{ goal: { ...count, op: 'gt' }, repeat: { every: 1 } }, 'unprocessable', 'goal.op: '],
    [{ eligible: 'segment' }, 'unprocessable', 'eligible: "eligible" is not supported yet'],
    [{ budget: {} }, 'unprocessable', 'budget: "budget" is not supported yet'],
    [{ claw_back: 'always' }, 'unprocessable', 'claw_back: '],
    [{ starts_at: '2026-12-01' }, 'invalid_request', 'starts_at: '],
    [{ starts_at: '1790000000' }, 'invalid_request', 'starts_at: '],
    [{ ends_at: '2026-13-01T00:00:00Z' }, 'invalid_request', 'ends_at: '],
    [
      { starts_at: '2026-12-01T00:00:00Z', ends_at: '2026-12-01T01:00:00+01:00' },
      'invalid_request',
      'ends_at: must lie after',
    ],
  ])('refuses %j', (changes, code, message) => {
    const problem = problemOf(() => checkTask(task(changes), acme()));
    expect(problem).toEqual({ code, message: expect.stringContaining(message) as string });
  });
});

describe('the catalogue', () => {
  it('refuses other platforms, and is unavailable while a record is unreadable', () => {
    const catalogue = new Catalogue();
    expect(problemOf(() => catalogue.of('acme'))?.code).toBe('unprocessable');
    catalogue.apply('acme', { data: integration } as never);
    catalogue.markUnreadable('acme');
    expect(problemOf(() => catalogue.of('acme'))?.code).toBe('unavailable');
    catalogue.apply('acme', { data: integration } as never);
    expect(catalogue.of('acme').organizerId).toBe('organizer-1');
    catalogue.apply('acme', null);
    expect(problemOf(() => catalogue.of('acme'))?.code).toBe('unprocessable');
  });
});

function deep(depth: number): unknown {
  return depth === 0 ? count : { not: deep(depth - 1) };
}

function wide(width: number): unknown {
  return { all: Array.from({ length: width }, () => count) };
}
