import { TypedValue, parseTyped } from '@podium/messages';
import { AttributeSpec, AttributeSpecs } from './definition';
import { HistoryEvent } from './history';

/** Reads one attribute of events of one name; null where it is absent. */
export type ValueReader = (event: HistoryEvent) => TypedValue | null;

/** The text of an attribute; undefined when the event does not have it. */
export function attributeText({ attributes }: HistoryEvent, name: string): string | undefined {
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined;
}

/**
 * The typed value of an attribute. A money value needs a currency of the contract version that admitted the event; with
 * `currency` it is read in that currency alone. A negative value of a non-negative attribute does not parse
 * (docs/engine.md, readings 9 and 10).
 */
export function valueReader(specs: AttributeSpecs, event: string, attribute: string, currency?: string): ValueReader {
  const spec = specOf(specs, event, attribute);
  return (given) => {
    const text = attributeText(given, attribute);
    if (text === undefined) return null;
    const value = parseTyped(spec.type, text, spec.nonNegative);
    if (value === null) return null;
    if (spec.currencyAttribute === undefined) return value;
    const found = currencyOf(given, spec, spec.currencyAttribute);
    return found === null || (currency !== undefined && found !== currency) ? null : value;
  };
}

/** The specification of a negotiated attribute; a version was published only with known ones. */
export function specOf(specs: AttributeSpecs, event: string, attribute: string): AttributeSpec {
  const ofEvent = Object.hasOwn(specs, event) ? specs[event] : {};
  if (!Object.hasOwn(ofEvent, attribute)) throw new TypeError(`a published condition names ${event}.${attribute}`);
  return ofEvent[attribute];
}

function currencyOf(event: HistoryEvent, { currencies }: AttributeSpec, attribute: string): string | null {
  const text = attributeText(event, attribute);
  if (text === undefined || parseTyped('currency', text) === null) return null;
  if (currencies === undefined) return text;
  return Object.hasOwn(currencies, text) && event.contractVersion >= currencies[text] ? text : null;
}
