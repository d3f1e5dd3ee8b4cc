import { ContractAttribute } from '@podium/messages';
import { compileAttribute } from './compiled-attribute';
import { CheckedValues, checkValues } from './value-warnings';

const attributes: ContractAttribute[] = [
  { name: 'amount', type: 'decimal', non_negative: true, currency_attribute: 'currency', currencies: ['EUR', 'SEK'] },
  { name: 'fee', type: 'decimal', currency_attribute: 'currency' },
  { name: 'currency', type: 'currency' },
  { name: 'count', type: 'integer' },
  { name: 'first', type: 'boolean' },
  { name: 'at', type: 'timestamp' },
  { name: 'note', type: 'string' },
];
const negotiated = new Map(attributes.map((attribute) => [attribute.name, compileAttribute(attribute)]));

function check(...given: [string, string][]): CheckedValues {
  return checkValues(
    given.map(([name, value]) => ({ name, value })),
    negotiated,
  );
}

describe('checkValues', () => {
  it('finds nothing in values that parse, in texts, and in what is not negotiated', () => {
    expect(
      check(['amount', '1.5'], ['currency', 'SEK'], ['first', 'true'], ['at', '1'], ['note', ''], ['other', 'x']),
    ).toEqual({ typed: ['amount', 'currency', 'first', 'at'], notParsed: [] });
    expect(check(['fee', '-1'], ['currency', 'USD']).notParsed).toEqual([]);
  });

  it.each<[string, [string, string][], string]>([
    ['a number', [['count', '1.0']], 'does not parse as integer (at most 18 digits, with an optional sign)'],
    ['a boolean', [['first', 'yes']], 'does not parse as boolean (true or false)'],
    ['an empty value', [['at', '']], 'does not parse as timestamp (Unix seconds or an RFC 3339 time with its offset)'],
    [
      'a negative amount',
      [
        ['amount', '-1'],
        ['currency', 'EUR'],
      ],
      'at most 18 digits before and 9 after the point, not negative)',
    ],
    ['an amount without its currency', [['amount', '1']], 'its currency, "currency", must be EUR, SEK'],
    [
      'an amount in another currency',
      [
        ['amount', '1'],
        ['currency', 'USD'],
      ],
      'its currency, "currency", must be EUR, SEK',
    ],
    ['an amount whose currency is any, and missing', [['fee', '1']], 'must be a code of three capital letters'],
  ])('warns of %s, without the value', (_what, given, reason) => {
    const [{ name, warning }] = check(['note', 'x'], ...given).notParsed;
    expect([name, warning.code, warning.field]).toEqual([given[0][0], 'value_not_parsed', 'event.attributes[1].value']);
    expect(warning.message).toContain(reason);
  });

  it('never repeats a value', () => {
    const secret = 'canary-4111111111111111';
    const given = attributes.map(({ name }): [string, string] => [name, secret]);
    expect(check(...given).notParsed).toHaveLength(6);
    expect(JSON.stringify(check(...given))).not.toContain(secret);
  });
});
