import { MoneyCurrency } from '../evaluation/definition';
import { choiceOf, malformed, refused } from './body-problems';
import { NamedAttribute, currencyOf, quoted } from './check-filter';
import { WindowPlace } from './check-window';

const currencyCode = /^[A-Z]{3}$/;

/** Whether a value is a currency code. */
function isCurrency(value: unknown): value is string {
  return typeof value === 'string' && currencyCode.test(value);
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * In which currency an attribute is summed, or its least or greatest value taken: of money either `currency` or `convert_to`,
 * of everything else none of both. Throws a coded error that names the place.
 */
export function inCurrencyOf(
  fields: Fields,
  named: NamedAttribute,
  path: string,
  place: WindowPlace,
): { readonly currency?: string; readonly convert_to?: string } {
  if (named.spec.currencyAttribute !== undefined) return moneyCurrencyOf(fields, named, path, place);
  if (fields.convert_to !== undefined)
    throw refused(`${path}.convert_to`, `${quoted(named.name)} is not money: its contract names no currency for it`);
  return currencyOf(fields.currency, named, `${path}.currency`);
}

/** The currency of a money attribute: `currency` or `convert_to`. Throws a coded error that names the place. */
export function moneyCurrencyOf(
  { currency, convert_to }: Fields,
  named: NamedAttribute,
  path: string,
  { zone }: WindowPlace,
): MoneyCurrency {
  const known = Object.keys(named.spec.currencies ?? {}).sort();
  if (convert_to === undefined) {
    if (currency === undefined)
      throw malformed(
        `${path}.currency`,
        `${quoted(named.name)} is money: name the currency, one of ${known.join(', ')}, or convert all of them with "convert_to"`,
      );
    return { currency: choiceOf(currency, `${path}.currency`, known) };
  }
  if (currency !== undefined)
    throw malformed(`${path}.convert_to`, 'must not stand beside "currency"; leave one of them out');
  if (!isCurrency(convert_to))
    throw malformed(`${path}.convert_to`, 'must be a code of three capital letters (ISO 4217)');
  if (zone !== 'UTC')
    throw refused(`${path}.convert_to`, `needs the zone UTC, because rates are those of UTC days; the zone is ${zone}`);
  return { convert_to };
}
