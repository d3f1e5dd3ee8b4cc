import { Filter } from './condition';
import { AttributeSpecs } from './definition';
import { specOf } from './event-values';

/** Currencies by attribute, each with the first contract version that has it. */
export type AddedCurrencies = Readonly<Record<string, Readonly<Record<string, number>>>>;

/**
 * On which currencies filters depend besides their text: a test whether money exists takes those that the contract named when
 * the definition was written. Only those that a later contract has added are listed; undefined without any.
 */
export function addedCurrencies(filters: readonly Filter[], specs: AttributeSpecs): AddedCurrencies | undefined {
  const found = filters.flatMap(({ event, where }) =>
    where.flatMap((test): [string, Readonly<Record<string, number>>][] => {
      if ('value' in test) return [];
      const { currencies = {} } = specOf(specs, event, test.attribute);
      const first = Math.min(...Object.values(currencies));
      const added = Object.entries(currencies).filter(([, version]) => version > first);
      return added.length === 0 ? [] : [[`${event} ${test.attribute}`, Object.fromEntries(added.sort(byName))]];
    }),
  );
  return found.length === 0 ? undefined : Object.fromEntries(found.sort(byName));
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
