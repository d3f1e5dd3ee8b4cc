import { ContractEvent } from '@podium/messages';

/** Most names of one kind of difference; a first version may have 1,000 events. */
const namesMax = 50;

interface Flags {
  readonly retired?: boolean;
}

/** What is negotiated, events or attributes, by its name for operators. */
type Negotiated = ReadonlyMap<string, Flags>;

/**
 * Names what a version of a contract adds, retires and un-retires, for the audit; kinds of difference without a name are left
 * out. Attributes of an added event are not named.
 */
export function contractDifferences(
  before: readonly ContractEvent[],
  after: readonly ContractEvent[],
): Record<string, string[]> {
  const known = new Set(before.map(({ name }) => name));
  const ofKnown = after.filter(({ name }) => known.has(name));
  const named = {
    ...differences('events', eventsOf(before), eventsOf(after)),
    ...differences('attributes', attributesOf(before), attributesOf(ofKnown)),
  };
  return Object.fromEntries(Object.entries(named).filter(([, names]) => names.length > 0));
}

function differences(kind: string, before: Negotiated, after: Negotiated): Record<string, string[]> {
  const namesOf = (differs: (was: Flags | undefined, is: Flags) => boolean): string[] =>
    shortened([...after].filter(([name, is]) => differs(before.get(name), is)).map(([name]) => name));
  return {
    [`${kind}_added`]: namesOf((was) => was === undefined),
    [`${kind}_retired`]: namesOf((was, is) => was !== undefined && !was.retired && is.retired === true),
    [`${kind}_unretired`]: namesOf((was, is) => was?.retired === true && !is.retired),
  };
}

function eventsOf(events: readonly ContractEvent[]): Negotiated {
  return new Map(events.map((event) => [event.name, event]));
}

function attributesOf(events: readonly ContractEvent[]): Negotiated {
  return new Map(
    events.flatMap((event) =>
      event.attributes.map((attribute) => [
        `${JSON.stringify(attribute.name)} of ${JSON.stringify(event.name)}`,
        attribute,
      ]),
    ),
  );
}

function shortened(names: readonly string[]): string[] {
  const further = names.length - namesMax;
  return further > 0 ? [...names.slice(0, namesMax), `and ${further} more`] : [...names];
}
