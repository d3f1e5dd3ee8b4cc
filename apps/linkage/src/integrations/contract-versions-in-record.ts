import { ContractVersion, topicMaxBytes } from '@podium/messages';

/** How long a superseded version stays in the record, for events received before and not yet processed, milliseconds. */
const supersededKeptMs = 60 * 60 * 1000;
/** Most bytes of a record's versions as JSON: the topic takes so much, less the envelope and the other fields. */
const versionsMaxBytes = topicMaxBytes - 24 * 1024;

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

/**
 * From when on, Unix milliseconds, the last version can be added: `nowMs`, or when enough of the others are over that the rest
 * fits into one record. The start of the version is never before that time. A version and its successor always fit, because
 * the size of each is limited.
 */
export function fitsFrom(versions: readonly ContractVersion[], nowMs: number): number {
  const others = versions.slice(0, -1);
  const [added] = versions.slice(-1);
  const bytes = new Map<number, number>();
  const bytesOf = (version: ContractVersion): number => {
    const known = bytes.get(version.version) ?? Buffer.byteLength(JSON.stringify(version));
    bytes.set(version.version, known);
    return known;
  };
  const fitsAt = (ms: number): boolean => {
    const later = { ...added, in_force_from: Math.max(added.in_force_from, ms) };
    const total = contractsInForce([...others, later], ms).reduce((sum, version) => sum + bytesOf(version) + 1, 0);
    return total <= versionsMaxBytes;
  };
  const ends = others.map((version) => version.in_force_from + supersededKeptMs + 1).filter((ms) => ms > nowMs);
  return [nowMs, ...ends.sort((a, b) => a - b)].find(fitsAt) ?? Math.max(nowMs, ...ends);
}
