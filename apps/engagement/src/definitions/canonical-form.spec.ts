import { parseTyped } from '@podium/messages';
import fc from 'fast-check';
import { AttributeSpecs, TaskBody } from '../evaluation/definition';
import { canonicalCondition } from './canonical-condition';
import { canonicalConstant } from './canonical-value';
import { readStoredBody, storedBody } from './stored-body';
import { WrittenCondition } from './written-body';

const specs: AttributeSpecs = {
  deposit: {
    amount: { type: 'decimal', currencyAttribute: 'currency', currencies: { EUR: 1 } },
    level: { type: 'integer' },
    at: { type: 'timestamp' },
    method: { type: 'string' },
    first: { type: 'boolean' },
  },
};

const deposit = { event: 'deposit' };
const base = { window: { lifetime: true }, op: 'gte' } as const;
const count: WrittenCondition = { ...base, count: deposit, value: 3 };
const other: WrittenCondition = { ...base, count: { event: 'bet' }, value: 1 };

function formOf(written: WrittenCondition): string {
  return JSON.stringify(canonicalCondition(written, specs));
}

function filtered(
  ...where: { attribute: string; op: 'eq' | 'in'; value: never; currency?: string }[]
): WrittenCondition {
  return { ...base, count: { event: 'deposit', where }, value: 1 };
}

function testOf(attribute: string, value: unknown, op: 'eq' | 'in' = 'eq'): WrittenCondition {
  return filtered({ attribute, op, value: value as never });
}

function windowed(window: object | undefined): WrittenCondition {
  return { ...count, window } as WrittenCondition;
}

describe('the canonical form (reading 16)', () => {
  it.each<[string, WrittenCondition, WrittenCondition]>([
    ['a number and its text', count, { ...count, value: '3' } as WrittenCondition],
    [
      'spellings of a number',
      { ...count, value: '3.0' } as WrittenCondition,
      { ...count, value: '+03' } as WrittenCondition,
    ],
    ['order of fields', count, { value: 3, op: 'gte', window: { lifetime: true }, count: deposit }],
    ['an empty and no where', count, { ...count, count: { event: 'deposit', where: [] } } as WrittenCondition],
    ['weeks and days', windowed({ rolling: 'P1W' }), windowed({ rolling: 'P7D' })],
    ['no window and the task', windowed(undefined), windowed({ task: true })],
    [
      'instants in two zones',
      windowed({ between: ['2026-12-01T00:00:00Z', '2026-12-02T00:00:00Z'] }),
      windowed({ between: ['2026-12-01T02:00:00+02:00', 1796169600] }),
    ],
    ['durations', { sequence: [deposit, deposit], within: 'P1D' }, { sequence: [deposit, deposit], within: 'PT24H' }],
    ['branches in any order', { all: [count, other] }, { all: [other, count] }],
    ['a branch twice', { any: [count, other] }, { any: [other, count, other] }],
    ['tests in any order', filtered(level(1), method('a')), filtered(method('a'), level(1), level(1))],
    ['choices as a set', testOf('method', ['b', 'a', 'b'], 'in'), testOf('method', ['a', 'b'], 'in')],
    ['choices by value', testOf('level', [1, '2'], 'in'), testOf('level', ['02', '1', 1], 'in')],
    ['integers', testOf('level', '+5'), testOf('level', 5)],
    ['decimals', testOf('amount', '50.00'), testOf('amount', '5e1')],
    ['booleans', testOf('first', true), testOf('first', 'true')],
    ['timestamps', testOf('at', '2026-12-01T00:00:00Z'), testOf('at', 1796083200)],
    ['a least time', least('2026-12-01T01:00:00+01:00'), least('1796083200')],
    [
      'ids',
      { in_segment: 'A0000000-0000-4000-8000-00000000000B' },
      { in_segment: 'a0000000-0000-4000-8000-00000000000b' },
    ],
  ])('is one for %s', (_label, left, right) => {
    expect(formOf(left)).toBe(formOf(right));
  });

  it.each<[string, WrittenCondition, WrittenCondition]>([
    ['a day and 24 hours, which begin at another time', windowed({ rolling: 'P1D' }), windowed({ rolling: 'PT24H' })],
    ['all of one part and the part', { all: [count] }, count],
    ['a double negation', { not: { not: count } }, count],
    [
      'steps in another order',
      { sequence: [deposit, { event: 'bet' }], within: 'P1D' },
      { sequence: [{ event: 'bet' }, deposit], within: 'P1D' },
    ],
    ['texts that look like numbers', testOf('method', '1'), testOf('method', '1.0')],
    ['times by fractions of a second', testOf('at', '2026-12-01T00:00:00Z'), testOf('at', '2026-12-01T00:00:00.5Z')],
  ])('differs for %s', (_label, left, right) => {
    expect(formOf(left)).not.toBe(formOf(right));
  });

  it('writes defaults, and texts for numbers', () => {
    expect(
      canonicalCondition({ op: 'gte', value: 3.5, sum: deposit, attribute: 'amount', currency: 'EUR' }, specs),
    ).toEqual({
      sum: { event: 'deposit', where: [] },
      attribute: 'amount',
      currency: 'EUR',
      window: { task: true },
      op: 'gte',
      value: '3.5',
    });
  });

  it('keeps the currency to which money is converted', () => {
    const written = { op: 'gt', value: '07.50', convert_to: 'GBP', max: deposit, attribute: 'amount' } as const;
    expect(JSON.stringify(canonicalCondition(written, specs))).toBe(
      '{"max":{"event":"deposit","where":[]},"attribute":"amount","convert_to":"GBP","window":{"task":true},"op":"gt","value":"7.5"}',
    );
  });

  it.each([
    ['0', '1970-01-01T00:00:00Z'],
    ['1969-12-31T23:59:59Z', '1969-12-31T23:59:59Z'],
    ['2026-12-01T02:00:00.250+02:00', '2026-12-01T00:00:00.25Z'],
  ])('reads the timestamp %s as %s', (given, same) => {
    expect(canonicalConstant(given, 'timestamp')).toBe(canonicalConstant(same, 'timestamp'));
    expect(canonicalConstant(canonicalConstant(given, 'timestamp'), 'timestamp')).toBe(
      canonicalConstant(same, 'timestamp'),
    );
  });

  it.each([
    '9999-12-31T23:59:59.9999999-05:00',
    '9999-12-31T23:59:59.999999999-23:59',
    '9999-12-31T23:59:59-05:00',
    '0000-01-01T00:00:00+02:00',
    '0000-01-01T00:00:00.5+23:59',
    '0000-01-01T00:00:00Z',
    '999999999999',
  ])('keeps the timestamp %s', (given) => {
    expect(parseTyped('timestamp', canonicalConstant(given, 'timestamp'))).toBe(parseTyped('timestamp', given));
  });

  it('keeps all timestamps, and is one for equal ones', () => {
    const digits = (max: number, length: number) => fc.nat(max).map((n) => String(n).padStart(length, '0'));
    const written = fc
      .tuple(
        fc.oneof(fc.constantFrom('0000', '0001', '9999'), digits(9999, 4)),
        fc.constantFrom('01-01', '12-31'),
        fc.tuple(digits(23, 2), digits(59, 2), digits(59, 2)),
        fc.constantFrom('', '.5', '.999999999'),
        fc.tuple(fc.constantFrom('+', '-'), digits(23, 2), digits(59, 2)),
      )
      .map(([year, day, time, fraction, [sign, hours, minutes]]) => {
        const offset = `${sign}${hours}:${minutes}`;
        return `${year}-${day}T${time.join(':')}${fraction}${offset}`;
      });
    fc.assert(
      fc.property(written, (given) => {
        const canonical = canonicalConstant(given, 'timestamp');
        expect(parseTyped('timestamp', canonical)).toBe(parseTyped('timestamp', given));
        expect(canonicalConstant(canonical, 'timestamp')).toBe(canonical);
      }),
    );
  });

  it('is a fixed point', () => {
    const once = canonicalCondition({ all: [other, count, windowed({ rolling: 'P4W' }), testOf('amount', 5)] }, specs);
    expect(JSON.stringify(canonicalCondition(once, specs))).toBe(JSON.stringify(once));
  });
});

describe('bodies of the release before', () => {
  it('have their dates as texts, as have those of this release in the database', () => {
    const { starts_at, ends_at } = storedBody(body) as { starts_at: string; ends_at: string };
    expect([starts_at, ends_at]).toEqual(['2026-12-01T00:00:00.000Z', '2026-12-31T22:00:00.000Z']);
    expect(readStoredBody('task', storedBody(body), specs)).toEqual(body);
  });

  const legacy = {
    goal: { sum: { event: 'deposit' }, attribute: 'level', window: { since: 'link' }, op: 'gte', value: 10 },
    repeat: { every: 2 },
    starts_at: '2026-12-01T00:00:00Z',
    ends_at: '2026-12-31T23:59:59.5+02:00',
    reward: { type: 'points', amount: '5.00' },
  };
  const body: TaskBody = {
    goal: {
      sum: { event: 'deposit', where: [] },
      attribute: 'level',
      window: { since: 'link' },
      op: 'gte',
      value: '10',
    },
    repeat: { every: '2' },
    zone: 'UTC',
    max_per_user: 100_000,
    starts_at: 1796083200,
    ends_at: 1798754400,
    reward: { type: 'points', amount: '5.00' },
    claw_back: 'none',
    max_per_event: 10,
  };

  it('are read in canonical form, which is read unchanged', () => {
    expect(readStoredBody('task', legacy, specs)).toEqual({ ...body, max_per_event: 100_000 });
    expect(JSON.stringify(readStoredBody('task', reversed(body), specs))).toBe(JSON.stringify(body));
  });

  it('may have dates of more than four digits of the year', () => {
    const dates = { starts_at: '-000001-12-31T22:00:00.000Z', ends_at: '+010000-01-01T00:00:00.000Z' };
    expect(readStoredBody('task', { ...legacy, ...dates }, specs)).toMatchObject({
      starts_at: -62_167_226_400,
      ends_at: 253_402_300_800,
    });
  });

  it('pay once at most 1, and without `every` any number', () => {
    const once = { ...legacy, repeat: { once: true }, max_per_user: 3 };
    expect(readStoredBody('task', once, specs)).toMatchObject({ max_per_user: 1 });
    expect(readStoredBody('task', { ...legacy, repeat: { per: 'day' } }, specs).max_per_user).toBeUndefined();
  });

  it('have segments in UTC', () => {
    expect(readStoredBody('segment', { condition: count }, specs)).toEqual({
      condition: canonicalCondition(count, specs),
      zone: 'UTC',
    });
  });
});

function level(value: number): { attribute: string; op: 'eq'; value: never } {
  return { attribute: 'level', op: 'eq', value: value as never };
}

function method(value: string): { attribute: string; op: 'eq'; value: never } {
  return { attribute: 'method', op: 'eq', value: value as never };
}

function least(value: string): WrittenCondition {
  return { ...base, min: deposit, attribute: 'at', value };
}

/** The same value with the fields of all its objects in another order, as jsonb may return them. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([field, part]) => [field, reversed(part)]),
  );
}
