import { ContractVersion } from '@podium/messages';

/** How long a superseded version stays in the record, for events received before and not yet processed, milliseconds. */
const supersededKeptMs = 60 * 60 * 1000;

/**
 * Selects the versions, oldest first, that are in force, will be, or were within the last hour. A version that a later one
 * replaces before its start is never in force. It is left out, so that start times increase with versions.
 */
export function contractsInForce(versions: readonly ContractVersion[], nowMs: number): ContractVersion[] {
  const inForce: ContractVersion[] = [];
  let nextFromMs = Infinity;
  for (const version of versions.toReversed()) {
    if (version.in_force_from >= nextFromMs || nextFromMs < nowMs - supersededKeptMs) continue;
    inForce.unshift(version);
    nextFromMs = version.in_force_from;
  }
  return inForce;
}
