import { ContractAttribute, typeForms, valueCheck } from '@podium/messages';

/** A negotiated attribute with the checks of its values. */
export interface CompiledAttribute {
  /** Whether a value parses as the attribute's type; undefined for texts, all of which do. */
  readonly parses?: (text: string) => boolean;
  /** The type and its form, for messages. */
  readonly form: string;
  /** Makes the attribute money: a value without one of its currencies does not parse (docs/engine.md, readings 9 and 10). */
  readonly currency?: {
    readonly attribute: string;
    readonly parses: (text: string) => boolean;
    readonly form: string;
  };
}

/** Compiles an attribute of one version of a contract. */
export function compileAttribute(attribute: ContractAttribute): CompiledAttribute {
  const { type, non_negative: nonNegative, currency_attribute: currencyAttribute } = attribute;
  return {
    parses: valueCheck(attribute),
    form: `${type} (${typeForms[type]}${nonNegative === true ? ', not negative' : ''})`,
    ...(currencyAttribute !== undefined && { currency: compileCurrency(currencyAttribute, attribute.currencies) }),
  };
}

function compileCurrency(attribute: string, currencies: readonly string[] | undefined): CompiledAttribute['currency'] {
  if (currencies === undefined)
    return { attribute, parses: valueCheck({ type: 'currency' })!, form: typeForms.currency };
  const allowed = new Set(currencies);
  return { attribute, parses: (text) => allowed.has(text), form: [...allowed].join(', ') };
}
