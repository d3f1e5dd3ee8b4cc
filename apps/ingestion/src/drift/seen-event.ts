import { ContractCheck } from '../contract-view/contract-check';
import { AdmissionOutcome } from '../event/outcome';
import { PartnerEvent } from '../event/partner-event';
import { SeenEvent } from './drift-counts';

const none: readonly string[] = [];

/** What an event says about its sender and its contract; undefined for repeats and for events that were refused otherwise. */
export function seenEventOf(
  { platform, name }: Pick<PartnerEvent, 'platform' | 'name'>,
  outcome: AdmissionOutcome,
  check: Extract<ContractCheck, { ok: true }> | undefined,
): SeenEvent | undefined {
  if (outcome.kind === 'refused' && outcome.code === 'event_not_negotiated')
    return { platform, name, isNegotiated: false, dropped: none, typed: none, notParsed: none };
  if (outcome.kind !== 'accepted' || check === undefined) return undefined;
  const { dropped, values } = check;
  const notParsed = values.notParsed.length === 0 ? none : values.notParsed.map((each) => each.name);
  return { platform, name, isNegotiated: true, dropped, typed: values.typed, notParsed };
}
