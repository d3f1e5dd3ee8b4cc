/**
 * The currencies whose smallest unit is no hundredth, by the digits after its point (ISO 4217, list one). `Intl` has the digits
 * that a locale shows: they differ, and change with the Node image, so that two instances would pay two amounts.
 */
export const currenciesByDigits: ReadonlyMap<number, readonly string[]> = new Map([
  [
    0,
    [
      ...['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG'],
      ...['RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'],
    ],
  ],
  [3, ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']],
  [4, ['CLF', 'UYW']],
]);

const digitsOf: ReadonlyMap<string, number> = new Map(
  [...currenciesByDigits].flatMap(([digits, currencies]) => currencies.map((currency) => [currency, digits] as const)),
);

/**
 * Whether a code is one of ISO 4217, so that its digits are certain. The list of `Intl` may change with the Node image: this is for
 * checks of what operators write, not for amounts.
 */
export function isKnownCurrency(code: string): boolean {
  return digitsOf.has(code) || Intl.supportedValuesOf('currency').includes(code);
}

/** The digits after the point of an amount in a currency; 2 of those that are not listed. */
export function currencyDigits(currency: string): number {
  return digitsOf.get(currency) ?? 2;
}
