import { ContractAttribute, ContractEvent } from '@podium/messages';

/** Why an attribute's declarations as money or as non-negative are invalid, as the end of a sentence; null when they are valid. */
export function numberProblem(attribute: ContractAttribute, event: ContractEvent): string | null {
  const { type, currency_attribute, currencies, non_negative } = attribute;
  if (non_negative && type !== 'integer' && type !== 'decimal')
    return `has non_negative, which only an integer or decimal may have; it is ${type}`;
  if (currency_attribute === undefined)
    return currencies === undefined ? null : 'has currencies without a currency_attribute';
  if (type !== 'decimal') return `has a currency_attribute, which only a decimal may have; it is ${type}`;
  if (currencies === undefined) return 'has a currency_attribute without currencies';
  const twice = currencies.find((currency, at) => currencies.indexOf(currency) !== at);
  if (twice !== undefined) return `lists the currency ${twice} twice`;
  return currencyAttributeProblem(attribute, currency_attribute, event);
}

/**
 * Why the declarations may not change in this way, as the end of a sentence; null when they may. Sums of what was received
 * before would change their meaning, so that even an addition needs a new attribute; only currencies are added.
 */
export function numberChangeProblem(before: ContractAttribute, after: ContractAttribute): string | null {
  if (before.currency_attribute !== after.currency_attribute)
    return 'cannot gain, change or lose its currency_attribute: negotiate a new attribute';
  if ((before.non_negative ?? false) !== (after.non_negative ?? false))
    return 'cannot gain or lose non_negative: negotiate a new attribute';
  const missing = before.currencies?.find((currency) => !after.currencies?.includes(currency));
  return missing === undefined ? null : `was negotiated with the currency ${missing}; currencies are only added`;
}

/** Ingestion drops a retired attribute, so that every amount beside it would count as absent. */
function currencyAttributeProblem(money: ContractAttribute, name: string, event: ContractEvent): string | null {
  const named = event.attributes.find((attribute) => attribute.name === name);
  const where = `the currency_attribute ${JSON.stringify(name)}`;
  if (!named) return `has ${where}, which the event does not list`;
  if (named.type !== 'currency') return `has ${where}, which is ${named.type}; its type must be currency`;
  if (named.retired && !money.retired) return `has ${where}, which is retired: retire both or none`;
  return null;
}
