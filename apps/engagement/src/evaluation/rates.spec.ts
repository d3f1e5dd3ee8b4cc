import { DailyRate, parseRate, ratesOf } from './rates';

const dayS = 86_400;

function rate(day: number, text: string, from = 'USD', to = 'EUR'): DailyRate {
  return { from, to, dayS: day * dayS, rate: parseRate(text)! };
}

describe('rates', () => {
  it('are those of the last day before, of the pair itself', () => {
    const rates = ratesOf([rate(30, '3'), rate(10, '1'), rate(20, '2'), rate(15, '9', 'EUR', 'USD')]);
    const found = [10, 11, 20, 21, 30, 31, 400].map((day) => rates.before('USD', 'EUR', day * dayS));
    expect(found).toEqual([null, '1', '1', '2', '2', '3', '3'].map((text) => (text === null ? null : parseRate(text))));
    expect(rates.before('EUR', 'USD', 16 * dayS)).toBe(parseRate('9'));
    expect(rates.before('JPY', 'EUR', 400 * dayS)).toBeNull();
  });

  it('are plain decimals above 0 with 9 and 12 digits', () => {
    expect(parseRate('0.9')).toBe(900_000_000_000n);
    expect(parseRate('0.900')).toBe(parseRate('0.9'));
    expect(parseRate('999999999.999999999999')).toBe(999_999_999_999_999_999_999n);
    expect(parseRate('0.000000000001')).toBe(1n);
    for (const text of ['0', '0.000', '-1', '+1', '1e3', '.5', '1.', '1000000000', '1.0000000000001', '1,5', ''])
      expect([text, parseRate(text)]).toEqual([text, null]);
  });
});
