import { AttributeType } from '@podium/messages';
import { AttributeSpec, AttributeSpecs } from '../evaluation/definition';

/** As stored: the type alone, where an attribute has no more than that. */
export type StoredAttributeTypes = Readonly<Record<string, Readonly<Record<string, AttributeType | AttributeSpec>>>>;

/** The stored form, which the release before reads for attributes that are not money and may be negative. */
export function storedAttributeTypes(specs: AttributeSpecs): StoredAttributeTypes {
  return mapped(specs, (spec) => (isPlain(spec) ? spec.type : spec));
}

/** The specifications of what is stored. Own properties only: a name may be `__proto__`. */
export function attributeSpecs(stored: StoredAttributeTypes): AttributeSpecs {
  return mapped(stored, (spec) => (typeof spec === 'string' ? { type: spec } : spec));
}

/** The specifications of several versions, oldest first; currencies of all of them. */
export function mergedSpecs(versions: readonly AttributeSpecs[]): AttributeSpecs {
  const merged = new Map<string, Map<string, AttributeSpec>>();
  for (const specs of versions)
    for (const [event, attributes] of Object.entries(specs)) {
      const known = merged.get(event) ?? new Map<string, AttributeSpec>();
      merged.set(event, known);
      for (const [name, spec] of Object.entries(attributes)) known.set(name, withCurrenciesOf(known.get(name), spec));
    }
  return Object.fromEntries([...merged].map(([event, attributes]) => [event, Object.fromEntries(attributes)]));
}

function withCurrenciesOf(known: AttributeSpec | undefined, spec: AttributeSpec): AttributeSpec {
  if (!known?.currencies || !spec.currencies) return spec;
  return { ...spec, currencies: { ...spec.currencies, ...known.currencies } };
}

function isPlain(spec: AttributeSpec): boolean {
  return spec.currencyAttribute === undefined && spec.currencies === undefined && spec.nonNegative !== true;
}

function mapped<From, To>(
  byEvent: Readonly<Record<string, Readonly<Record<string, From>>>>,
  change: (spec: From) => To,
): Record<string, Record<string, To>> {
  return Object.fromEntries(
    Object.entries(byEvent).map(([event, attributes]) => [
      event,
      Object.fromEntries(Object.entries(attributes).map(([name, spec]) => [name, change(spec)])),
    ]),
  );
}
