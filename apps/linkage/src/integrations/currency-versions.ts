import { ContractAttribute, ContractVersion } from '@podium/messages';

type CurrencyVersions = NonNullable<ContractAttribute['currency_versions']>;

/**
 * Contract versions, oldest first, whose money attributes state the first version of each currency: consumers do not see the
 * versions that are over. What a version states already counts: it was restored from the topic, without the versions before.
 */
export function withCurrencyVersions(versions: readonly ContractVersion[]): ContractVersion[] {
  const known = new Map<string, CurrencyVersions>();
  return versions.map((version) => ({
    ...version,
    events: version.events.map((event) => ({
      ...event,
      attributes: event.attributes.map((attribute): ContractAttribute => {
        if (attribute.currencies === undefined) return attribute;
        const key = JSON.stringify([event.name, attribute.name]);
        const before = known.get(key) ?? {};
        const first = (currency: string): number =>
          Math.min(before[currency] ?? version.version, attribute.currency_versions?.[currency] ?? version.version);
        const stated = Object.fromEntries(attribute.currencies.map((currency) => [currency, first(currency)]));
        known.set(key, { ...before, ...stated });
        return { ...attribute, currency_versions: stated };
      }),
    })),
  }));
}
