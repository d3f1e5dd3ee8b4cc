import { ErrorCode } from '@podium/messages';
import { acmeCatalogue, acmeIntegration, problemOf } from '../../test/acme-catalogue';
import { Catalogue } from './catalogue';
import { checkSegment } from './check-segment';

const lifetime = { lifetime: true };
const count = { count: { event: 'deposit' }, window: lifetime, op: 'gte', value: 1 };
const sum = { sum: { event: 'deposit' }, attribute: 'amount', window: lifetime, op: 'gte', value: '10' };
const paid = { ...sum, attribute: 'paid' };
const least = { ...sum, sum: undefined, min: { event: 'deposit' } };
const distinct = { ...sum, sum: undefined, distinct: { event: 'deposit' }, attribute: 'method', value: 2 };
const absent = { absent: { event: 'deposit' }, window: { rolling: 'P14D' } };
const sequence = { sequence: [{ event: 'deposit' }, { event: 'constructor' }], within: 'P7D' };
const streak = { streak: { event: 'deposit' }, every: 'day', op: 'gte', value: 5 };
const inSegment = { in_segment: '00000000-0000-4000-8000-000000000001' };
const where = (test: unknown): unknown => ({ ...count, count: { event: 'deposit', where: [test] } });
const test = (attribute: string, op: string, value?: unknown, currency?: unknown): unknown =>
  where({ attribute, op, value, currency });
const windowed = (window: unknown): unknown => ({ ...count, window });
const between = (from: unknown, to: unknown): unknown => windowed({ between: [from, to] });

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
    ['months', windowed({ calendar: 'month' })],
    ['bounds', between('2026-12-01T00:00:00Z', '2026-12-31T23:59:59.5+02:00')],
    ['money', { ...paid, currency: 'USD' }],
    ['converted money', { ...paid, convert_to: 'GBP' }],
    ['the least of converted money', { ...paid, sum: undefined, min: { event: 'deposit' }, convert_to: 'EUR' }],
    ['money in tests', test('paid', 'in', ['5', 10], 'EUR')],
    ['the presence of money', test('paid', 'not_exists')],
    ['the least time', { ...least, attribute: 'valued_at', value: '2026-12-01T00:00:00Z' }],
    ['the greatest of money', { ...paid, sum: undefined, max: { event: 'deposit' }, currency: 'EUR' }],
    ['distinct', distinct],
    ['absent', absent],
    ['sequence', sequence],
    ['streak', streak],
    ['in_segment', inSegment],
    ['decimal order', test('amount', 'lt', '-0.5')],
    ['a JSON number', test('amount', 'gte', 50.25)],
    ['integer', test('level', 'eq', '3')],
    ['boolean', test('first', 'eq', true)],
    ['timestamp', test('valued_at', 'gt', '2026-11-20T10:00:00+02:00')],
    ['Unix seconds', test('valued_at', 'gt', 1790000000)],
    ['the last timestamp of an offset', test('valued_at', 'lt', '9999-12-31T23:59:59.9999999-05:00')],
    ['currency', test('currency', 'in', ['EUR', 'USD'])],
    ['exists', where({ attribute: 'method', op: 'exists' })],
    ['a name like a prototype', test('__proto__', 'gt', '1')],
    ['an event like a prototype', { ...count, count: { event: 'constructor' } }],
  ])('takes %s', (_label, condition) => {
    expect(problemOf(() => checkSegment({ condition: strip(condition) }, acmeCatalogue()))).toBeNull();
  });

  it('returns the canonical body', () => {
    const { body } = checkSegment({ condition: { all: [count, count] }, zone: 'Europe/Riga' }, acmeCatalogue());
    expect(body).toEqual({
      condition: { all: [{ ...count, count: { event: 'deposit', where: [] }, value: '1' }] },
      zone: 'Europe/Riga',
    });
  });

  it('collects the specifications of the named attributes, as own properties', () => {
    const condition = { all: [sum, { ...paid, currency: 'EUR' }, test('__proto__', 'gt', '1')] };
    const { specs } = checkSegment({ condition: strip(condition) }, acmeCatalogue());
    expect(JSON.stringify(specs)).toBe(
      '{"deposit":{"amount":{"type":"decimal","nonNegative":true},' +
        '"paid":{"type":"decimal","currencyAttribute":"currency","currencies":{"EUR":1,"USD":2}},' +
        '"__proto__":{"type":"decimal"}}}',
    );
  });

  it.each(['1e2', '+3', '3.0', '.3e1', '-0', '', ' 3', '3\n', '0000000003'])(
    'refuses the text %j for a whole number, as the schema does',
    (value) => {
      for (const condition of [count, distinct, streak])
        expect(
          problemOf(() => checkSegment({ condition: strip({ ...condition, value }) }, acmeCatalogue())),
        ).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('value: must be a whole number') });
    },
  );

  it.each<[unknown, ErrorCode, string]>([
    [[], 'invalid_request', 'condition: must be an object with exactly one of all'],
    [{}, 'invalid_request', 'condition: must be an object with exactly one of all'],
    [{ ...count, sum: {} }, 'invalid_request', 'condition: must be an object with exactly one of all'],
    [{ ...count, extra: 1 }, 'invalid_request', 'condition.extra: is unknown'],
    [{ all: [] }, 'invalid_request', 'condition.all: must be a list'],
    [{ all: [count, { not: 3 }] }, 'invalid_request', 'condition.all[1].not: '],
    [{ all: Array.from({ length: 21 }, () => count) }, 'invalid_request', 'condition.all: must be a list of 1 to 20'],
    [deep(9), 'invalid_request', 'conditions may lie 8 deep'],
    [{ all: [wide(20), wide(20), wide(20)] }, 'invalid_request', 'may have 50 parts'],
    [windowed({ calendar: 'year' }), 'invalid_request', 'condition.window: must be one of'],
    [windowed({ calendar: 'day', zone: 'UTC' }), 'invalid_request', 'condition.window.zone: is unknown'],
    [windowed({ task: true }), 'unprocessable', 'condition.window.task: a segment has no dates'],
    [between('2026-12-01T00:00:00Z', undefined), 'invalid_request', 'condition.window.between[1]: must be an ISO 8601'],
    [
      windowed({ between: ['2026-12-01T00:00:00Z'] }),
      'invalid_request',
      'condition.window.between: must be a list of two',
    ],
    [between('2026-12-01T00:00:00Z', '2026-12-01T01:00:00+01:00'), 'invalid_request', 'between[1]: must lie after'],
    [between(1796083200, 1796083201), 'invalid_request', 'condition.window.between[0]: must be an ISO 8601'],
    [{ ...paid }, 'invalid_request', 'condition.currency: "paid" is money: name the currency, one of EUR, USD, or'],
    [{ ...paid, currency: 'SEK' }, 'invalid_request', 'condition.currency: must be one of EUR, USD'],
    [
      { ...paid, convert_to: 'eur' },
      'invalid_request',
      'condition.convert_to: must be a code of three capital letters',
    ],
    [
      { ...paid, currency: 'EUR', convert_to: 'EUR' },
      'invalid_request',
      'condition.convert_to: must not stand beside "currency"',
    ],
    [{ ...sum, convert_to: 'EUR' }, 'unprocessable', 'condition.convert_to: "amount" is not money'],
    [{ ...distinct, convert_to: 'EUR' }, 'invalid_request', 'condition.convert_to: is unknown'],
    [{ ...sum, currency: 'EUR' }, 'unprocessable', 'condition.currency: "amount" is not money'],
    [
      { ...least, attribute: 'method' },
      'unprocessable',
      'condition.attribute: a min needs an integer, decimal or timestamp',
    ],
    [
      { ...least, attribute: 'valued_at', value: 'soon' },
      'invalid_request',
      'condition.value: must be of type timestamp',
    ],
    [{ ...distinct, attribute: 'paid' }, 'unprocessable', 'condition.attribute: "paid" is money'],
    [{ ...distinct, value: 1001 }, 'invalid_request', 'condition.value: must be a whole number from 0 to 1000'],
    [
      { ...absent, window: { rolling: 'PT24H' } },
      'invalid_request',
      'condition.window.rolling: must be an ISO 8601 duration of',
    ],
    [{ ...absent, window: { lifetime: true } }, 'invalid_request', 'condition.window.lifetime: is unknown'],
    [{ latest: 'deposit', where: [], window: lifetime }, 'invalid_request', 'condition.window: is unknown'],
    [{ ...inSegment, window: lifetime }, 'invalid_request', 'condition.window: is unknown'],
    [{ in_segment: 'depositors' }, 'invalid_request', 'condition.in_segment: must be the id of a segment'],
    [
      { ...sequence, sequence: [{ event: 'deposit' }] },
      'invalid_request',
      'condition.sequence: must be a list of 2 to 8',
    ],
    [{ ...sequence, sequence: Array(9).fill({ event: 'deposit' }) }, 'invalid_request', 'condition.sequence: must be'],
    [{ ...sequence, within: 'P36D' }, 'invalid_request', 'condition.within: must be an ISO 8601 duration up to P35D'],
    [{ ...sequence, within: 'PT840H1S' }, 'invalid_request', 'condition.within: '],
    [{ ...sequence, within: 'P1M' }, 'invalid_request', 'condition.within: '],
    [{ ...streak, every: 'hour' }, 'invalid_request', 'condition.every: must be one of day, week, month'],
    [{ ...streak, value: 1.5 }, 'invalid_request', 'condition.value: must be a whole number'],
    [windowed({ since: 'birth' }), 'invalid_request', 'condition.window: '],
    [windowed({ lifetime: false }), 'invalid_request', 'condition.window: '],
    [windowed({ lifetime: true, rolling: 'P1D' }), 'invalid_request', 'condition.window: '],
    [windowed(undefined), 'invalid_request', 'condition.window: '],
    ...['P0D', 'P367D', 'PT745H', 'P1DT6H', 'P1M', 'PT30M', 'P-1D', '30D', 'p1d'].map(
      (rolling): [unknown, ErrorCode, string] => [
        windowed({ rolling }),
        'invalid_request',
        'condition.window.rolling: must be an ISO 8601 duration',
      ],
    ),
    [{ ...count, op: 'equals' }, 'invalid_request', 'condition.op: must be one of eq'],
    [{ ...count, op: 'in' }, 'invalid_request', 'condition.op: '],
    ...[-1, 1.5, '1e-3', null, '1000000000', true].map((value): [unknown, ErrorCode, string] => [
      { ...count, value },
      'invalid_request',
      'condition.value: must be a whole number',
    ]),
    ...['1,5', '1e', '1234567890123456789', '0.0000000001', 1e21, null].map((value): [unknown, ErrorCode, string] => [
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
      'condition.count.event: the event "Deposit" is not negotiated for this platform (names are exact); negotiated events are "deposit", "constructor"',
    ],
    [{ ...count, count: { event: 'toString' } }, 'unprocessable', 'condition.count.event: '],
    [{ ...count, count: { event: 'gone' } }, 'unprocessable', 'the event "gone" is retired'],
    [{ ...count, count: {} }, 'invalid_request', 'condition.count.event: '],
    [{ latest: 'deposit' }, 'invalid_request', 'condition.where: must be a list'],
    [
      test('Amount', 'eq', '1'),
      'unprocessable',
      'condition.count.where[0].attribute: the attribute "Amount" of "deposit" is not negotiated (names are exact); negotiated attributes are "amount", "paid", "level", "currency", "method", "first", "valued_at", "__proto__"',
    ],
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
    [test('paid', 'gte', 5), 'invalid_request', 'condition.count.where[0].currency: "paid" is money'],
    [test('paid', 'gte', 5, 'SEK'), 'invalid_request', 'condition.count.where[0].currency: must be one of EUR, USD'],
    [test('amount', 'gte', 5, 'EUR'), 'unprocessable', 'condition.count.where[0].currency: "amount" is not money'],
    [test('paid', 'exists', undefined, 'EUR'), 'invalid_request', 'exists takes no currency'],
    [test('amount', 'gte', 1234567.123456789), 'invalid_request', 'has more than 15 digits; write it as a text'],
    [test('method', 'matches', 'x'), 'invalid_request', 'condition.count.where[0].op: must be one of'],
  ])('refuses %j', (condition, code, message) => {
    const problem = problemOf(() => checkSegment({ condition: strip(condition) }, acmeCatalogue()));
    expect(problem).toEqual({ code, message: expect.stringContaining(message) as string });
  });
});

describe('zones', () => {
  it.each(['UTC', 'Europe/Riga', 'America/Argentina/Buenos_Aires', 'Asia/Kathmandu'])('takes %s', (zone) => {
    expect(problemOf(() => checkSegment({ condition: count, zone }, acmeCatalogue()))).toBeNull();
  });

  it.each(['Europe/Nowhere', 'UTC+2', 'local', 'europe/riga', 'EUROPE/Riga', '', 2, null])('refuses %j', (zone) => {
    expect(problemOf(() => checkSegment({ condition: count, zone }, acmeCatalogue()))).toEqual({
      code: 'invalid_request',
      message: expect.stringContaining('zone: must be the IANA name') as string,
    });
  });

  it.each([
    ['Asia/Kathmandu', false],
    ['Australia/Lord_Howe', false],
    ['America/New_York', true],
  ])('has windows of UTC hours in %s: %s', (zone, isTaken) => {
    const check = () => checkSegment({ condition: windowed({ rolling: 'PT6H' }), zone }, acmeCatalogue());
    expect(problemOf(check)?.message ?? null).toEqual(
      isTaken ? null : expect.stringContaining('condition.window.rolling: hours are whole UTC hours'),
    );
  });
});

describe('names that are not negotiated', () => {
  const refusal = (names: string[], event: string): string | undefined => {
    const catalogue = new Catalogue();
    const events = names.map((name) => ({ name, kind: 'one_off' as const, attributes: [] }));
    const contracts = [{ ...acmeIntegration.contracts[1], events }];
    catalogue.apply('acme', { data: { ...acmeIntegration, contracts } } as never);
    const condition = { ...count, count: { event, where: [{ attribute: 'a', op: 'exists' }] } };
    return problemOf(() => checkSegment({ condition }, catalogue.of('acme')))?.message;
  };

  it('are refused with at most 20 of those that are', () => {
    const names = Array.from({ length: 23 }, (_, n) => `event-${n}`);
    expect(refusal(names.slice(0, 20), 'x')).toMatch(/"event-18", "event-19"$/);
    expect(refusal(names, 'x')).toMatch(/"event-19" and 3 more$/);
  });

  it('are refused where nothing is negotiated', () => {
    expect(refusal([], 'x')).toMatch(/; no events are negotiated$/);
    expect(refusal(['x'], 'x')).toMatch(/; no attributes are negotiated$/);
  });
});

describe('the catalogue', () => {
  it('refuses other platforms, and is unavailable while a record is unreadable', () => {
    const catalogue = new Catalogue();
    expect(problemOf(() => catalogue.of('acme'))?.code).toBe('unprocessable');
    catalogue.apply('acme', { data: acmeIntegration } as never);
    catalogue.markUnreadable('acme');
    expect(problemOf(() => catalogue.of('acme'))?.code).toBe('unavailable');
    catalogue.apply('acme', { data: acmeIntegration } as never);
    expect(catalogue.of('acme').organizerId).toBe('organizer-1');
    catalogue.apply('acme', null);
    expect(problemOf(() => catalogue.of('acme'))?.code).toBe('unprocessable');
  });

  it('takes the first version of each currency from the record, else from the versions that the record has', () => {
    const currenciesOf = (currency_versions?: Record<string, number>): unknown => {
      const [, second] = acmeIntegration.contracts;
      const attributes = second.events[0].attributes.map((each) =>
        each.name === 'paid' ? { ...each, currency_versions } : each,
      );
      const contracts = [{ ...second, version: 9, events: [{ ...second.events[0], attributes }] }];
      const catalogue = new Catalogue();
      catalogue.apply('acme', { data: { ...acmeIntegration, contracts } } as never);
      return catalogue.of('acme').events.get('deposit')?.attributes.get('paid')?.spec.currencies;
    };
    expect(currenciesOf({ EUR: 1, USD: 7 })).toEqual({ EUR: 1, USD: 7 });
    expect(currenciesOf()).toEqual({ EUR: 9, USD: 9 });
  });
});

function deep(depth: number): unknown {
  return depth === 0 ? count : { not: deep(depth - 1) };
}

function wide(width: number): unknown {
  return { all: Array.from({ length: width }, () => count) };
}

/** As JSON, which has no undefined fields. */
function strip(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
