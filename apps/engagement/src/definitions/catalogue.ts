import {
  CodedError,
  ContractAttribute,
  ContractEvent,
  ContractVersion,
  IntegrationData,
  RecordOf,
  integrationChanged,
  recordKey,
} from '@podium/messages';
import { AttributeSpec } from '../evaluation/definition';

/** The negotiated events of an integration with their attributes, by exact name, for the checks of definitions. */
export interface PlatformCatalogue {
  readonly platform: string;
  readonly organizerId: string;
  readonly events: ReadonlyMap<string, CatalogueEvent>;
}

/** A negotiated event name; retired names stay, so that a refusal can give the reason. */
export interface CatalogueEvent {
  readonly retired: boolean;
  readonly attributes: ReadonlyMap<string, CatalogueAttribute>;
}

/** A negotiated attribute. */
export interface CatalogueAttribute {
  readonly spec: AttributeSpec;
  readonly retired: boolean;
}

/** The catalogues of all platforms in this process, updated from `linkage.integrations.v1`. */
export class Catalogue {
  private readonly platforms = new Map<string, PlatformCatalogue>();
  private readonly unreadable = new Set<string>();

  /** Takes the newest state of an integration; null forgets it. */
  apply(key: string, record: RecordOf<typeof integrationChanged> | null): void {
    this.unreadable.delete(key);
    if (record) this.platforms.set(key, platformCatalogue(record.data));
    else this.platforms.delete(key);
  }

  markUnreadable(key: string): void {
    this.unreadable.add(key);
  }

  /** A platform's catalogue; throws `unprocessable` for an unknown one, `unavailable` when its newest state is unreadable. */
  of(platform: string): PlatformCatalogue {
    const key = recordKey(platform);
    if (this.unreadable.has(key))
      throw new CodedError('unavailable', { internal: `the integration of ${key} is unreadable` });
    const known = this.platforms.get(key);
    if (!known) throw unknownPlatform();
    return known;
  }
}

/** The error for a platform that does not exist, or whose organizer an operator may not see. */
export function unknownPlatform(): CodedError {
  return new CodedError('unprocessable', { message: 'platform: no integration has this name.' });
}

/** The newest contract counts, also when it is not in force yet: a task may be prepared for events that start tomorrow. */
function platformCatalogue({ platform, organizer_id, contracts }: IntegrationData): PlatformCatalogue {
  const events = contracts.at(-1)?.events ?? [];
  return {
    platform,
    organizerId: organizer_id,
    events: new Map(events.map((event) => [event.name, catalogueEvent(event, contracts)])),
  };
}

function catalogueEvent(
  { name, attributes, retired }: ContractEvent,
  contracts: readonly ContractVersion[],
): CatalogueEvent {
  const known = attributes.map((attribute): [string, CatalogueAttribute] => [
    attribute.name,
    { spec: attributeSpec(name, attribute, contracts), retired: attribute.retired ?? false },
  ]);
  return { retired: retired ?? false, attributes: new Map(known) };
}

function attributeSpec(
  event: string,
  { name, type, currency_attribute, non_negative }: ContractAttribute,
  contracts: readonly ContractVersion[],
): AttributeSpec {
  return {
    type,
    ...(currency_attribute === undefined
      ? {}
      : { currencyAttribute: currency_attribute, currencies: currenciesOf(event, name, contracts) }),
    ...(non_negative === true ? { nonNegative: true } : {}),
  };
}

/**
 * The currencies of a money attribute, each with the first contract version that lists it: as the record states it, in records
 * of before schema version 3 the first version of the record that lists it.
 */
function currenciesOf(event: string, name: string, contracts: readonly ContractVersion[]): Record<string, number> {
  const first: Record<string, number> = {};
  for (const { version, events } of contracts) {
    const attributes = events.find((each) => each.name === event)?.attributes;
    const { currencies = [], currency_versions = {} } = attributes?.find((each) => each.name === name) ?? {};
    for (const currency of currencies)
      first[currency] = Math.min(first[currency] ?? version, currency_versions[currency] ?? version);
  }
  return first;
}
