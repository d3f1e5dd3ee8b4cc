import { AttributeSpecs, DefinitionVersion, EngineDefinition } from '../evaluation/definition';
import { StoredAttributeTypes, attributeSpecs, mergedSpecs } from './attribute-specs';
import { DefinitionKind, VersionState } from './definition.entity';
import { VersionTimes, inForceFroms } from './in-force-from';
import { readStoredBody } from './stored-body';

/** A published version as it is stored. */
export interface StoredVersion extends VersionTimes {
  readonly definitionId: string;
  readonly version: number;
  readonly generation: number;
  readonly kind: DefinitionKind;
  readonly platform: string;
  readonly organizerId: string;
  readonly body: unknown;
  readonly attributeTypes: StoredAttributeTypes;
  readonly state: VersionState;
  readonly endedAt: Date | null;
  readonly endedWhilePaused: boolean;
  readonly recount: boolean;
  readonly maxPerDay: number | null;
}

/** A definition whose stored versions cannot be read, for example after a restore, with what was thrown. */
export interface UnreadableDefinition extends Pick<EngineDefinition, 'definitionId' | 'kind' | 'platform' | 'endedAt'> {
  readonly reason: unknown;
}

/** What is published, whether or not this release can read it. */
export interface PublishedDefinitions {
  readonly definitions: readonly EngineDefinition[];
  readonly unreadable: readonly UnreadableDefinition[];
  /** By id: another text where what is stored of a definition is other than it was. Missing where that is not known. */
  readonly revisions?: ReadonlyMap<string, string>;
}

/** Each definition by itself, from all its published versions: one that cannot be read does not hide the others. */
export function publishedDefinitions(all: Iterable<readonly StoredVersion[]>): PublishedDefinitions {
  const definitions: EngineDefinition[] = [];
  const unreadable: UnreadableDefinition[] = [];
  for (const versions of all)
    try {
      definitions.push(engineDefinition(versions));
    } catch (reason) {
      const { definitionId, kind, platform } = versions[0];
      unreadable.push({ definitionId, kind, platform, endedAt: endOf(versions), reason });
    }
  return { definitions, unreadable };
}

/**
 * The definition that the engine evaluates, from all its published versions, oldest first. One that ended while it was paused, or
 * was paused after its end, stays paused: what the pause held back is neither paid nor told. The members of a segment leave when
 * it ends, paused or not.
 */
export function engineDefinition(versions: readonly StoredVersion[]): EngineDefinition {
  const { definitionId, kind, platform, organizerId } = versions[0];
  const ended = versions.find(({ state }) => state === 'ended');
  const isPaused = versions.some(({ state }) => state === 'paused') || ended?.endedWhilePaused === true;
  const times = inForceFroms(versions);
  const base = {
    definitionId,
    platform,
    organizerId,
    paused: isPaused,
    endedAt: endOf(versions),
    specs: mergedSpecs(versions.map(({ attributeTypes }) => attributeSpecs(attributeTypes))),
  };
  const numbered = <Body>(read: (body: unknown, specs: AttributeSpecs) => Body): DefinitionVersion<Body>[] =>
    versions.map(({ version, generation, body, attributeTypes, recount, maxPerDay }, i) => ({
      version,
      generation,
      inForceFrom: times[i],
      ...(recount ? { recount } : {}),
      ...(maxPerDay === null ? {} : { maxPerDay }),
      body: read(body, attributeSpecs(attributeTypes)),
    }));
  return kind === 'segment'
    ? { ...base, kind, versions: numbered((body, specs) => readStoredBody(kind, body, specs)) }
    : { ...base, kind, versions: numbered((body, specs) => readStoredBody(kind, body, specs)) };
}

/** Unix seconds; null: operators have not ended it. */
function endOf(versions: readonly StoredVersion[]): number | null {
  const endedAt = versions.find(({ state }) => state === 'ended')?.endedAt;
  return endedAt ? Math.floor(endedAt.getTime() / 1000) : null;
}
