import { createHash } from 'node:crypto';
import { ContractAttribute, ContractEvent, ContractVersion, maxBatchOf } from '@podium/messages';
import { PlatformContract, versionAt } from './contracts';
import { eventSchema } from './event-schema';

/** The text of a partner's contract and its ETag. */
export interface ContractAnswer {
  readonly text: string;
  /** Strong, with its quotes. */
  readonly etag: string;
}

/** Answers that were made, by what the view holds; each belongs to the version in force, which changes with time. */
const made = new WeakMap<PlatformContract, { readonly version: number | undefined; readonly answer: ContractAnswer }>();

/** What is negotiated with a platform and in force at a time (Unix ms), from the view by which events are admitted. */
export function contractAnswerOf(platform: string, contract: PlatformContract, nowMs: number): ContractAnswer {
  const inForce = versionAt(contract, nowMs);
  const known = made.get(contract);
  if (known && known.version === inForce?.version) return known.answer;
  const text = JSON.stringify(contractOf(platform, contract, inForce));
  const answer = { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"` };
  made.set(contract, { version: inForce?.version, answer });
  return answer;
}

function contractOf(platform: string, contract: PlatformContract, inForce: ContractVersion | undefined): object {
  const { ratePerSecond } = contract;
  const isUpcoming = ({ version }: ContractVersion): boolean => inForce === undefined || version > inForce.version;
  return {
    platform,
    rate_per_second: ratePerSecond,
    burst: ratePerSecond,
    max_batch: maxBatchOf(ratePerSecond),
    in_force: inForce === undefined ? null : versionOf(inForce),
    upcoming: contract.declared.filter(isUpcoming).map(versionOf),
  };
}

function versionOf({ version, in_force_from: inForceFromMs, events }: ContractVersion): object {
  return {
    version,
    in_force_from: new Date(inForceFromMs).toISOString(),
    events: events.filter(isLive).map(eventOf),
  };
}

function eventOf(event: ContractEvent): object {
  const { name, kind, attributes } = event;
  return { name, kind, attributes: attributes.filter(isLive).map(attributeOf), schema: eventSchema(event) };
}

/** Without what only the engine needs. */
function attributeOf({ retired: _, currency_versions: __, ...attribute }: ContractAttribute): object {
  return attribute;
}

/** A retired name is treated like one that was never negotiated. */
function isLive({ retired }: { readonly retired?: boolean }): boolean {
  return retired !== true;
}
