import { ContractVersion, EventKind } from '@podium/messages';
import { AdmissionOutcome, refused } from '../event/outcome';
import { PartnerAttribute, PartnerEvent } from '../event/partner-event';
import { CompiledAttribute, compileAttribute } from './compiled-attribute';
import { splitAttributes } from './dropped-attributes';
import { CheckedValues, checkValues } from './value-warnings';

/** A contract version with maps for lookup by name; retired names are left out, so that they count as not negotiated. */
export interface CompiledContract {
  readonly version: number;
  readonly events: ReadonlyMap<
    string,
    { readonly kind: EventKind; readonly attributes: ReadonlyMap<string, CompiledAttribute> }
  >;
}

/** An event that its contract allows, with its retained and dropped attributes, or its refusal. */
export type ContractCheck =
  | {
      readonly ok: true;
      readonly kind: EventKind;
      readonly version: number;
      readonly kept: readonly PartnerAttribute[];
      readonly dropped: readonly string[];
      readonly values: CheckedValues;
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
            attributes: new Map(
              event.attributes
                .filter(({ retired }) => retired !== true)
                .map((attribute) => [attribute.name, compileAttribute(attribute)]),
            ),
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
  const { kept, dropped } = split;
  const values = checkValues(event.attributes, negotiated.attributes);
  return { ok: true, kind: negotiated.kind, version: contract.version, kept, dropped, values };
}
