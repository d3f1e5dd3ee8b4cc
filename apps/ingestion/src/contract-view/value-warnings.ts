import { EventWarning } from '../event/event-warning';
import { PartnerAttribute } from '../event/partner-event';
import { CompiledAttribute } from './compiled-attribute';

/** The values of an event whose attributes have a type other than text. */
export interface CheckedValues {
  /** Names of these attributes, in the order sent. */
  readonly typed: readonly string[];
  /** Those whose value does not parse, each with its warning; conditions treat them as absent. */
  readonly notParsed: readonly { readonly name: string; readonly warning: EventWarning }[];
}

/** Checks the values of an event as conditions will read them. Nothing is refused for a value that does not parse. */
export function checkValues(
  attributes: readonly PartnerAttribute[],
  negotiated: ReadonlyMap<string, CompiledAttribute>,
): CheckedValues {
  const typed: string[] = [];
  const notParsed: { name: string; warning: EventWarning }[] = [];
  for (let index = 0; index < attributes.length; index++) {
    const { name, value } = attributes[index];
    const attribute = negotiated.get(name);
    if (attribute?.parses === undefined) continue;
    typed.push(name);
    const reason = attribute.parses(value)
      ? currencyProblem(attribute, attributes)
      : `does not parse as ${attribute.form}`;
    if (reason !== undefined) notParsed.push({ name, warning: warningOf(index, reason) });
  }
  return { typed, notParsed };
}

function currencyProblem({ currency }: CompiledAttribute, attributes: readonly PartnerAttribute[]): string | undefined {
  if (currency === undefined) return undefined;
  const given = attributes.find(({ name }) => name === currency.attribute);
  if (given !== undefined && currency.parses(given.value)) return undefined;
  return `does not parse: its currency, ${JSON.stringify(currency.attribute)}, must be ${currency.form}`;
}

function warningOf(index: number, reason: string): EventWarning {
  const field = `event.attributes[${index}].value`;
  return {
    code: 'value_not_parsed',
    field,
    message: `${field} ${reason}. The event is accepted; conditions treat this value as absent.`,
  };
}
