import fc from 'fast-check';
import { addDecimals, formatDecimal, parseDecimal, toBillionths } from './exact-decimal';
import { parseTyped } from './typed-value';
import { compareUtf8 } from './utf8-order';
import { leavesAt, parseRolling } from './window';

describe('decimals', () => {
  it.each([
    '',
    ' 1',
    '1 ',
    '+1',
    '1.',
    '.5',
    '1e3',
    '0x1',
    '1,5',
    '--1',
    '1.0000000001',
    '1234567890123456789',
    '١',
    'NaN',
  ])('treats %j as absent', (text) => expect(parseDecimal(text)).toBeNull());

  it.each([
    ['-0.5', '-0.5'],
    ['-0', '0'],
    ['007.10', '7.1'],
    ['999999999999999999.999999999', '999999999999999999.999999999'],
    ['0.000000001', '0.000000001'],
  ])('reads %s as %s', (text, plain) => expect(formatDecimal(parseDecimal(text)!)).toBe(plain));

  it('adds exactly, beyond what floating point and one value can hold', () => {
    expect(addDecimals('0.1', '0.2')).toBe('0.3');
    expect(addDecimals('999999999999999999.999999999', '0.000000001')).toBe('1000000000000000000');
    expect(addDecimals('100.00', '-100')).toBe('0');
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 40n), 10n ** 40n), (billionths) => {
        expect(toBillionths(formatDecimal(billionths))).toBe(billionths);
      }),
    );
  });
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

describe('rolling windows', () => {
  it('hold the bucket of now and those before it', () => {
    const noon = Date.UTC(2026, 10, 20, 12) / 1000;
    expect(leavesAt(parseRolling('P1D')!, noon)).toBe(Date.UTC(2026, 10, 21) / 1000);
    expect(leavesAt(parseRolling('P2W')!, noon)).toBe(Date.UTC(2026, 11, 4) / 1000);
    expect(leavesAt(parseRolling('PT6H')!, noon + 3599)).toBe(noon + 6 * 3600);
  });
});
