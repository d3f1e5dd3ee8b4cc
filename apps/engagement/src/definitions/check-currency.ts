import { malformed, refused } from './body-problems';
import { NamedAttribute, currencyOf, quoted } from './check-filter';
import { WindowPlace } from './check-window';

const currencyCode = /^[A-Z]{3}$/;

/** Whether a value is a currency code. */
export function isCurrency(value: unknown): value is string {
  return typeof value === 'string' && currencyCode.test(value);
}

/**
 * In which currency an attribute is summed, or its least or greatest value taken: of money either `currency` or `convert_to`,
 * of everything else none of both. Throws a coded error that names the place.
 */
export function inCurrencyOf(
  { currency, convert_to }: Readonly<Record<string, unknown>>,
  named: NamedAttribute,
  path: string,
  { zone }: WindowPlace,
): { readonly currency?: string; readonly convert_to?: string } {
  const isMoney = named.spec.currencyAttribute !== undefined;
  if (convert_to === undefined) {
    if (isMoney && currency === undefined) throw malformed(`${path}.currency`, neitherOf(named));
    return currencyOf(currency, named, `${path}.currency`);
  }
  if (!isMoney)
    throw refused(`${path}.convert_to`, `${quoted(named.name)} is not money: its contract names no currency for it`);
  if (currency !== undefined)
    throw malformed(`${path}.convert_to`, 'must not stand beside "currency"; leave one of them out');
  if (!isCurrency(convert_to))
    throw malformed(`${path}.convert_to`, 'must be a code of three capital letters (ISO 4217)');
  if (zone !== 'UTC')
    throw refused(`${path}.convert_to`, `needs the zone UTC, because rates are those of UTC days; the zone is ${zone}`);
  return { convert_to };
}

function neitherOf({ name, spec }: NamedAttribute): string {
  const known = Object.keys(spec.currencies ?? {}).sort();
  return `${quoted(name)} is money: name the currency, one of ${known.join(', ')}, or convert all of them with "convert_to"`;
}
