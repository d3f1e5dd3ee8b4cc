import fc from 'fast-check';
import type { AttributeTest } from '../../src/evaluation/condition';
import type { AttributeSpec, AttributeSpecs } from '../../src/evaluation/definition';

/* Attributes of the events of random worlds, texts that they may have, and tests of them. */

/** From the second and third contract version on, more currencies are known. */
const money: AttributeSpec = {
  type: 'decimal',
  currencyAttribute: 'currency',
  currencies: { EUR: 1, USD: 1, JPY: 2, KWD: 3 },
};

export const specs: AttributeSpecs = {
  deposit: {
    amount: { ...money, nonNegative: true },
    currency: { type: 'currency' },
    balance_change: money,
    bonus_points: { type: 'integer', nonNegative: true },
    level_change: { type: 'integer' },
    ratio: { type: 'decimal' },
    method: { type: 'string' },
    is_first: { type: 'boolean' },
    settled_at: { type: 'timestamp' },
  },
  bet: {
    stake: { ...money, nonNegative: true },
    currency: { type: 'currency' },
    odds: { type: 'decimal', nonNegative: true },
    game: { type: 'string' },
    round: { type: 'integer' },
  },
  kyc_status: { status: { type: 'string' }, checked_at: { type: 'timestamp' } },
  login: {},
};

export const currencies = ['EUR', 'USD', 'JPY', 'KWD'] as const;
const amounts = ['10', '10.00', '25.5', '+5', '.5', '7.', '1e2', '0.1e1', '-10', '-0', '0', '33.335'];
const badNumbers = ['', ' 10', '1,000', 'x', '1e18', '0.0000000001', '--1', '1e', '１'];
const extremeNumbers = ['999999999999999999', '0.000000001', '1e17', '1.0000000000', '-999999999999999999.999999999'];
const integers = ['1', '2', '+3', '-2', '5', '10', '0'];
const badIntegers = ['2.0', '1e1', '', 'two', '1234567890123456789'];
const times = [
  '1793232000',
  '2026-10-29T00:00:00Z',
  '2026-10-29T03:00:00+03:00',
  '2027-03-20T00:00:00.5Z',
  '2026-11-01t10:00:00z',
];
const badTimes = ['yesterday', '2026-10-29', '2026-02-30T00:00:00Z', '2026-10-29T24:00:00Z', '2026-10-29T00:00:00'];

const textsOf: Readonly<Record<string, { good: readonly string[]; bad: readonly string[] }>> = {
  amount: { good: amounts, bad: [...badNumbers, ...extremeNumbers] },
  balance_change: { good: amounts, bad: badNumbers },
  stake: { good: amounts, bad: badNumbers },
  currency: { good: ['EUR', 'EUR', 'EUR', 'USD', 'JPY', 'KWD'], bad: ['eur', 'EURO', 'GBP', ''] },
  bonus_points: { good: integers, bad: badIntegers },
  level_change: { good: integers, bad: badIntegers },
  round: { good: integers, bad: badIntegers },
  ratio: { good: amounts, bad: [...badNumbers, ...extremeNumbers] },
  odds: { good: amounts, bad: badNumbers },
  method: { good: ['card', 'Card', 'bank'], bad: [''] },
  game: { good: ['chess', 'go', 'poker', 'dice'], bad: [''] },
  is_first: { good: ['true', 'false'], bad: ['TRUE', '1', ''] },
  status: { good: ['passed', 'failed', 'pending'], bad: [''] },
  settled_at: { good: times, bad: badTimes },
  checked_at: { good: times, bad: badTimes },
};

const text = (attribute: string): fc.Arbitrary<string | undefined> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...textsOf[attribute].good) },
    { weight: 1, arbitrary: fc.constantFrom(...textsOf[attribute].bad) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );

/** Attributes by event name; missing ones are left out. */
export const attributeTexts: fc.Arbitrary<Record<string, Record<string, string>>> = fc.record(
  Object.fromEntries(
    Object.entries(specs).map(([event, attributes]) => [
      event,
      fc
        .record(Object.fromEntries(Object.keys(attributes).map((attribute) => [attribute, text(attribute)])))
        .map(withoutMissing),
    ]),
  ),
);

function withoutMissing(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Constants in canonical form, which the texts above meet. */
const constantsOf = (attribute: string, { type, currencyAttribute }: AttributeSpec): readonly string[] => {
  if (currencyAttribute !== undefined) return ['0', '5', '10', '25.5', '33.335', '100', '-10'];
  if (type === 'boolean') return ['true', 'false'];
  if (type === 'currency') return ['EUR', 'USD', 'JPY'];
  if (type === 'timestamp') return ['1793232000', '1793200000', '1805500800'];
  if (type === 'string') return textsOf[attribute].good;
  return type === 'integer' ? ['1', '2', '-2', '5'] : ['10', '0.5', '100', '-10', '0.000000001'];
};

const equality = ['eq', 'ne'] as const;
const order = [...equality, 'lt', 'lte', 'gt', 'gte'] as const;

/** Up to two tests of an event's attributes, in canonical order. */
export function tests(event: string, least = 0): fc.Arbitrary<AttributeTest[]> {
  const attributes = Object.keys(specs[event]);
  if (attributes.length === 0) return fc.constant([]);
  const some = fc.array(
    fc.constantFrom(...attributes).chain((attribute) => testOf(event, attribute)),
    {
      minLength: Math.max(least, 1),
      maxLength: 2,
    },
  );
  const none = fc.constant<AttributeTest[]>([]);
  return (least > 0 ? some : fc.oneof({ weight: 7, arbitrary: none }, { weight: 3, arbitrary: some })).map(asSet);
}

function testOf(event: string, attribute: string): fc.Arbitrary<AttributeTest> {
  const spec = specs[event][attribute];
  const value = fc.constantFrom(...constantsOf(attribute, spec));
  const isOrdered = spec.type === 'integer' || spec.type === 'decimal' || spec.type === 'timestamp';
  const currency: fc.Arbitrary<{ currency?: string }> =
    spec.currencyAttribute === undefined
      ? fc.constant({})
      : fc.record({ currency: fc.constantFrom('EUR', 'EUR', ...currencies) });
  return fc.oneof(
    {
      weight: 4,
      arbitrary: comparison(attribute, fc.constantFrom(...(isOrdered ? order : equality)), value, currency),
    },
    {
      weight: 1,
      arbitrary: comparison(
        attribute,
        fc.constant('in' as const),
        fc.array(value, { minLength: 1, maxLength: 3 }).map(asSet),
        currency,
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('exists' as const, 'not_exists' as const).map((op) => ({ attribute, op })),
    },
  );
}

function comparison<Op, Value>(
  attribute: string,
  ops: fc.Arbitrary<Op>,
  values: fc.Arbitrary<Value>,
  currency: fc.Arbitrary<{ currency?: string }>,
): fc.Arbitrary<{ attribute: string; op: Op; value: Value; currency?: string }> {
  return fc.tuple(ops, values, currency).map(([op, value, money]) => ({ attribute, op, value, ...money }));
}

/** Sorted and without duplicates, as the canonical form has its sets. */
export function asSet<T>(members: readonly T[]): T[] {
  const texts = new Map(members.map((member) => [JSON.stringify(member), member]));
  return [...texts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, member]) => member);
}
