import { DefinitionAuditData, DefinitionData, DefinitionVersionData } from '@podium/messages';
import { auditedChanges } from './definition-record';

/** OpenID Connect Core 1.0, section 2: `sub` has at most 255 characters of ASCII. */
const operatorId = 'x'.repeat(255);

const time = '9999-12-31T23:59:59.999999+00:00';
const unixS = 253_402_300_799;
const amount = `${'9'.repeat(18)}.${'9'.repeat(9)}`;
const uuid = '00000000-0000-0000-0000-000000000000';
const awards = 2_147_483_647;

/**
 * A definition with the largest record that it can have without another version: each version that is or can be published has
 * the longest value in every field that may still change, and the audit trail has the longest entries. It is never larger
 * after a change than before, so that one which has room can always be published, paused, resumed and ended.
 */
export function largestDefinition(data: DefinitionData): DefinitionData {
  const newest = data.versions.findLastIndex(({ published_at }) => published_at !== null);
  const versions = data.versions.map((version, at) => (at < newest ? version : largestVersion(version)));
  const audit = Array<DefinitionAuditData>(auditedChanges).fill(largestEntry(data.versions));
  return { ...data, versions, raised_budget: { stated_total: amount, total: amount }, audit };
}

function largestVersion(version: DefinitionVersionData): DefinitionVersionData {
  return {
    ...version,
    state: 'published',
    generation: version.generation ?? version.version,
    published_by: version.published_by ?? operatorId,
    published_at: time,
    counts_from: time,
    in_force_from: unixS,
    ended_at: time,
    // The longer one.
    ...{ ended_while_paused: false, recount: false },
    max_per_day: awards,
    paused_because: { day: '9999-12-31', awards, max_per_day: awards },
  };
}

/** With all details of any action. */
function largestEntry(versions: readonly DefinitionVersionData[]): DefinitionAuditData {
  const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text));
  const name = versions.map((version) => version.name).reduce((a, b) => (bytesOf(a) < bytesOf(b) ? b : a));
  return {
    at: time,
    operator_id: operatorId,
    action: 'segment.backfill_resumed',
    details: {
      ...{ version: versions.length, name, generation: versions.length, in_force_from: unixS, ended_at: unixS },
      ...{ rewards_without_events: false, recount: false, max_per_day: awards, dry_run: uuid, from: amount },
    },
  };
}
