import { ContractVersion, EventKind } from '@podium/messages';
import { PartnerAttribute, PartnerEvent } from './parse-event';
import { AdmissionOutcome, refused } from './outcome';

/** Most bytes of UTF-8 in the value of a negotiated attribute. */
export const maxValueBytes = 4096;

/** A contract version laid out for look-up by name; retired names are left out, so they count as not negotiated. */
export interface CompiledContract {
  readonly version: number;
  readonly events: ReadonlyMap<string, { readonly kind: EventKind; readonly attributes: ReadonlySet<string> }>;
}

/** What the contract makes of an event: kept and dropped attributes, or a refusal. */
export type ContractCheck =
  | {
      readonly ok: true;
      readonly kind: EventKind;
      readonly version: number;
      readonly kept: readonly PartnerAttribute[];
      /** Each dropped name once, in the order sent. */
      readonly dropped: readonly string[];
    }
  | { readonly ok: false; readonly outcome: AdmissionOutcome };

/** Compiles one version of a contract. */
export function compileContract(contract: ContractVersion): CompiledContract {
  return {
    version: contract.version,
    events: new Map(
      contract.events
        .filter((event) => event.retired !== true)
        .map((event) => [
          event.name,
          {
            kind: event.kind,
            attributes: new Set(event.attributes.filter(({ retired }) => retired !== true).map(({ name }) => name)),
          },
        ]),
    ),
  };
}

/**
 * Checks an event against the contract in force at its receipt (specification, Send event): names are compared byte for
 * byte, what was not negotiated is dropped unseen, a negotiated attribute comes once and with at most 4 KiB.
 */
export function checkAgainstContract(event: PartnerEvent, contract: CompiledContract | undefined): ContractCheck {
  const negotiated = contract?.events.get(event.name);
  if (contract === undefined || negotiated === undefined)
    return { ok: false, outcome: refused('event_not_negotiated') };
  const kept: PartnerAttribute[] = [];
  const dropped: string[] = [];
  for (let index = 0; index < event.attributes.length; index++) {
    const attribute = event.attributes[index];
    if (!negotiated.attributes.has(attribute.name)) {
      if (!dropped.includes(attribute.name)) dropped.push(attribute.name);
      continue;
    }
    const problem = problemOf(attribute, kept);
    if (problem !== undefined)
      return { ok: false, outcome: refused('invalid_request', `event.attributes[${index}]${problem}`) };
    kept.push(attribute);
  }
  return { ok: true, kind: negotiated.kind, version: contract.version, kept, dropped };
}

function problemOf(attribute: PartnerAttribute, kept: readonly PartnerAttribute[]): string | undefined {
  if (kept.some(({ name }) => name === attribute.name))
    return `.name repeats ${JSON.stringify(attribute.name)}; an attribute is given once.`;
  if (attribute.value.length * 3 > maxValueBytes && Buffer.byteLength(attribute.value) > maxValueBytes)
    return `.value is longer than ${maxValueBytes} bytes of UTF-8.`;
  return undefined;
}
