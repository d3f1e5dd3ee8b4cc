import { parseDecimal, parseInteger, parseTyped } from '@podium/messages';
import fc from 'fast-check';
import { formatDecimal, percentOf, toBillionths } from './exact-decimal';
import { compareUtf8 } from './utf8-order';

describe('decimals', () => {
  it.each([
    '',
    ' 1',
    '1 ',
    '.',
    'e3',
    '1e',
    '1e1000',
    '1 000',
    '1,000.50',
    '1e18',
    '1e-10',
    '0x1',
    '1,5',
    '--1',
    '1.0000000001',
    '1234567890123456789',
    '١',
    'NaN',
  ])('treats %j as absent', (text) => expect(parseDecimal(text)).toBeNull());

  it('are the same with few digits and with the exponent 0, which is read in another way', () => {
    const text = fc.stringMatching(/^[+-]?[0-9.]{0,16}$/);
    fc.assert(fc.property(text, (each) => expect(parseDecimal(each)).toBe(parseDecimal(`${each}e0`))));
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{1,9}\.[0-9]{0,11}$/), (each) =>
        expect(parseDecimal(each)).toBe(parseDecimal(`${each}e0`)),
      ),
    );
  });

  it.each([
    ['-0.5', '-0.5'],
    ['-0', '0'],
    ['007.10', '7.1'],
    ['999999999999999999.999999999', '999999999999999999.999999999'],
    ['0.000000001', '0.000000001'],
    ['+1', '1'],
    ['1.', '1'],
    ['.5', '0.5'],
    ['1e2', '100'],
    ['1.5E-3', '0.0015'],
    ['0.0000000010', '0.000000001'],
    ['1000000000000000000e-1', '100000000000000000'],
    ['0e999', '0'],
  ])('reads %s as %s', (text, plain) => expect(formatDecimal(parseDecimal(text)!)).toBe(plain));

  it('writes what it reads, beyond what floating point and one value can hold', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 40n), 10n ** 40n), (billionths) => {
        expect(toBillionths(formatDecimal(billionths))).toBe(billionths);
      }),
    );
  });

  it.each(['2.5', '1e2', '.5', '1234567890123456789'])('treats the integer %j as absent', (text) =>
    expect(parseInteger(text)).toBeNull(),
  );

  it.each([
    ['10', '0.05', 2, '0.01'],
    ['10', '0.049', 2, '0'],
    ['33.3', '100', 0, '33'],
    ['50', '-0.01', 2, '-0.01'],
  ])('takes %s percent of %s with %i digits as %s, half rounded up', (percent, value, digits, result) =>
    expect(formatDecimal(percentOf(toBillionths(value), toBillionths(percent), digits))).toBe(result),
  );
});

describe('typed values', () => {
  it('reads times with any offset and fraction as the same instant', () => {
    const instant = parseTyped('timestamp', '1793232000');
    expect(parseTyped('timestamp', '2026-10-29T00:00:00Z')).toBe(instant);
    expect(parseTyped('timestamp', '2026-10-29T03:00:00.000+03:00')).toBe(instant);
    expect(parseTyped('timestamp', '2026-10-28T20:00:00-04:00')).toBe(instant);
    expect(parseTyped('timestamp', '2024-02-29T00:00:00Z')).not.toBeNull();
    for (const text of ['2026-02-29T00:00:00Z', '2026-10-29T24:00:00Z', '2026-10-29', '2026-10-29T00:00:00', '-5'])
      expect([text, parseTyped('timestamp', text)]).toEqual([text, null]);
  });
});

describe('the order of ids', () => {
  it('is that of UTF-8 bytes', () => {
    const text = fc
      .array(fc.constantFrom('a', 'B', 'é', '\ud7ff', '\ue000', '\uffff', '😀', '𐀀', '\u{10ffff}'))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });
});
