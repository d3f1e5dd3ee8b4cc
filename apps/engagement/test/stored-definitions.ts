import { DataSource } from 'typeorm';
import { storedAttributeTypes } from '../src/definitions/attribute-specs';
import { Definition, VersionState } from '../src/definitions/definition.entity';
import type { EngineDefinition } from '../src/evaluation/definition';

/** Stores definitions as operators have published them. */
export async function storeDefinitions(
  dataSource: DataSource,
  definitions: readonly EngineDefinition[],
): Promise<void> {
  const rows = definitions.flatMap((definition) => {
    const { definitionId, kind, platform, organizerId, specs, endedAt, paused } = definition;
    const newestState: VersionState = endedAt !== null ? 'ended' : paused ? 'paused' : 'published';
    return definition.versions.map(({ version, generation, inForceFrom, recount, body }, at): Definition => {
      const isNewest = at === definition.versions.length - 1;
      const publishedAt = new Date(inForceFrom * 1000);
      return Object.assign(new Definition(), {
        ...{ definitionId, version, generation, kind, platform, organizerId, name: kind, body },
        attributeTypes: storedAttributeTypes(specs),
        state: isNewest ? newestState : ('replaced' as const),
        ...{ createdBy: 'writer', createdAt: publishedAt, publishedBy: 'approver', publishedAt },
        ...{ countsFrom: publishedAt, inForceFrom, endedWhilePaused: false },
        ...{ recount: recount ?? false, maxPerDay: null, pausedBecause: null },
        endedAt: isNewest && endedAt !== null ? new Date(endedAt * 1000) : null,
      } satisfies Definition);
    });
  });
  await dataSource.manager.insert(Definition, rows);
}
