import fc from 'fast-check';
import { AttributeType } from '../events/integration';
import { parseTyped } from './typed-value';
import { PatternedType, valueCheck, valuePattern } from './value-patterns';

const types: readonly AttributeType[] = ['string', 'integer', 'decimal', 'boolean', 'timestamp', 'currency'];
const runs = { numRuns: Number(process.env.PODIUM_RUNS ?? 3_000) };

/** Texts close to those that parse: most differ from one in a character or two. */
const digits = (max: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...'00001239'), { maxLength: max }).map((all) => all.join(''));
const sign = fc.constantFrom('', '+', '-', '--', ' ');
const number = fc
  .tuple(
    sign,
    digits(22),
    fc.constantFrom('', '.', '..', ','),
    digits(13),
    fc.constantFrom('', 'e', 'E-', 'e+'),
    digits(4),
  )
  .map((parts) => parts.join(''));
const plainNumber = fc.tuple(sign, digits(22), fc.constantFrom('', '.'), digits(13)).map((parts) => parts.join(''));
const padded = (max: number, width: number): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max }).map((value) => String(value).padStart(width, '0'));
const timestamp = fc
  .tuple(
    ...[
      padded(9999, 4),
      fc.constant('-'),
      padded(14, 2),
      fc.constant('-'),
      padded(33, 2),
      fc.constantFrom('T', 't', ' '),
    ],
    ...[padded(25, 2), fc.constant(':'), padded(61, 2), fc.constant(':'), padded(61, 2)],
    ...[
      fc.constantFrom('', '.', '.5', '.123456789', '.0123456789'),
      fc.constantFrom('Z', 'z', '', '+', '-05:30', '+25:00', '+12:60'),
    ],
  )
  .map((parts) => parts.join(''));
const text = fc.oneof(
  ...[number, plainNumber, timestamp, fc.constantFrom('true', 'false', 'True', '1', '', 'EUR', 'eur', 'EURO', 'É12')],
  ...[fc.string({ unit: 'binary', maxLength: 12 }), number.map((given) => `${given}\n`)],
);

describe('the patterns of values', () => {
  it.each(types.flatMap((type) => [false, true].map((nonNegative) => [type, nonNegative] as const)))(
    'agree with the parser on %s (not negative: %s)',
    (type, nonNegative) => {
      const check = valueCheck({ type, non_negative: nonNegative }) ?? (() => true);
      fc.assert(
        fc.property(text, (given) => {
          expect([given, check(given)]).toEqual([given, parseTyped(type, given, nonNegative) !== null]);
        }),
        runs,
      );
    },
  );

  it.each<[PatternedType, boolean]>([
    ['integer', false],
    ['integer', true],
    ['decimal', false],
    ['decimal', true],
    ['timestamp', false],
    ['currency', false],
  ])('of %s (not negative: %s) match what parses, and nothing else unless it has an exponent', (type, nonNegative) => {
    const pattern = new RegExp(valuePattern({ type, non_negative: nonNegative }));
    fc.assert(
      fc.property(text, (given) => {
        const parses = parseTyped(type, given, nonNegative) !== null;
        if (parses || type !== 'decimal' || !/e/i.test(given))
          expect([given, pattern.test(given)]).toEqual([given, parses]);
      }),
      runs,
    );
  });

  it('know every day of every kind of year', () => {
    const check = valueCheck({ type: 'timestamp' })!;
    for (const year of ['0000', '0004', '0100', '1900', '2000', '2023', '2024', '2100', '2400', '9999'])
      for (let month = 0; month <= 13; month++)
        for (let day = 0; day <= 32; day++) {
          const given = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}T00:00:00Z`;
          expect([given, check(given)]).toEqual([given, parseTyped('timestamp', given) !== null]);
        }
  });

  it('take linear time for the longest values', () => {
    const zeros = '0'.repeat(4_094);
    const started = process.cpuUsage();
    for (const hostile of [
      `1${zeros}x`,
      `${zeros}x`,
      `.${zeros}x`,
      `0.${zeros}1`,
      `1${zeros}1`,
      `1${zeros}e9`,
      `${zeros}.${zeros}x`,
    ])
      for (const type of types)
        for (let round = 0; round < 20; round++) {
          expect(parseTyped(type, hostile) === null).toBe(!(valueCheck({ type }) ?? (() => true))(hostile));
        }
    // 840 values; a pattern that tries every split of the zeros needs seconds for them. Other processes do not count.
    expect(process.cpuUsage(started).user).toBeLessThan(1_000_000);
  });
});
