import { ContractVersion, EventKind } from '@podium/messages';
import { AdmissionOutcome, refused } from '../event/outcome';
import { PartnerAttribute, PartnerEvent } from '../event/partner-event';
import { splitAttributes } from './dropped-attributes';

/** A contract version with maps for lookup by name; retired names are left out, so that they count as not negotiated. */
export interface CompiledContract {
  readonly version: number;
  readonly events: ReadonlyMap<string, { readonly kind: EventKind; readonly attributes: ReadonlySet<string> }>;
}

/** An event that its contract allows, with its retained and dropped attributes, or its refusal. */
export type ContractCheck =
  | {
      readonly ok: true;
      readonly kind: EventKind;
      readonly version: number;
      readonly kept: readonly PartnerAttribute[];
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

/** Checks an event against the contract in force at its receipt (specification, Send event); names are compared byte for byte. */
export function checkAgainstContract(event: PartnerEvent, contract: CompiledContract | undefined): ContractCheck {
  const negotiated = contract?.events.get(event.name);
  if (contract === undefined || negotiated === undefined)
    return { ok: false, outcome: refused('event_not_negotiated') };
  const split = splitAttributes(event.attributes, negotiated.attributes);
  if (!split.ok) return { ok: false, outcome: refused('invalid_request', split.problem) };
  return { ok: true, kind: negotiated.kind, version: contract.version, kept: split.kept, dropped: split.dropped };
}
