import { ContractVersion } from '@podium/messages';

/** How long a superseded version stays in the record, for events received before and still under way, milliseconds. */
const supersededKeptMs = 60 * 60 * 1000;

/**
 * Of all versions, oldest first, those that are, will be, or within the last hour were in force. A version whose time has
 * not come when a later one takes its place is never in force and is left out, so that times grow with versions.
 */
export function contractsInForce(versions: readonly ContractVersion[], nowMs: number): ContractVersion[] {
  const kept: ContractVersion[] = [];
  let nextFromMs = Infinity;
  for (const version of versions.toReversed()) {
    if (version.in_force_from >= nextFromMs || nextFromMs < nowMs - supersededKeptMs) continue;
    kept.unshift(version);
    nextFromMs = version.in_force_from;
  }
  return kept;
}
