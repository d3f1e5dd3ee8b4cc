import { Queryable, entityQueryable } from '@podium/runtime/postgres';
import { Brackets, DataSource, EntityManager, IsNull, Not } from 'typeorm';
import { SegmentBody } from '../evaluation/definition';
import { attributeSpecs } from './attribute-specs';
import { DefinitionAudit, appendAudit } from './definition-audit.store';
import { readDefinitionData } from './definition-records.store';
import { Definition, DefinitionKind } from './definition.entity';
import { holdEpoch, holdSlowWork, moveEpoch } from './epoch.store';
import { acceptTaskDays } from './engine-pauses.store';
import { PricedVersion, readPricedVersion } from './priced-versions.queries';
import { isRebuilding, readPublishedDefinitions } from './published-definitions.store';
import { PublishedDefinitions } from './engine-definition';
import { KnownSegment } from './segment-references';
import { restartSweeps } from './restart-sweeps.store';
import { readStoredBody } from './stored-body';
import { tellDefinitions } from './tell-definitions';
import { requireRoom } from './version-limits';

/** Which definitions a list shows; newest first. */
export interface DefinitionFilter {
  readonly kind: DefinitionKind;
  readonly organizers: 'all' | readonly string[];
  readonly platform?: string;
  /** Only definitions after this position of the list. */
  readonly before: { readonly createdAt: Date; readonly definitionId: string } | null;
  readonly limit: number;
}

/** A definition as a list shows it. */
export interface ListedDefinition {
  /** When its first version was written: its place in the list. */
  readonly createdAt: Date;
  readonly shown: Definition;
}

/** Whose definition it is. */
export type DefinitionOwner = Pick<Definition, 'organizerId'>;

/** Definitions for operators (by entity) and for the application of events (in its transaction). */
export class DefinitionsStore {
  constructor(private readonly dataSource: DataSource) {}

  /** See `holdEpoch`. */
  readEpoch(tx: Queryable): Promise<string> {
    return holdEpoch(tx);
  }

  /** See `readPublishedDefinitions`. */
  loadPublished(
    tx: Queryable,
    before?: PublishedDefinitions,
    nowS = Math.floor(Date.now() / 1000),
  ): Promise<PublishedDefinitions> {
    return readPublishedDefinitions(tx, nowS, before);
  }

  /** See `isRebuilding`. */
  isRebuilding(tx: Queryable): Promise<boolean> {
    return isRebuilding(tx);
  }

  transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction(work);
  }

  /** All versions of a definition, oldest first; empty when there is none of the kind. */
  async versions(kind: DefinitionKind, definitionId: string): Promise<Definition[]> {
    const where = { kind, definitionId };
    return canonical(await this.dataSource.manager.find(Definition, { where, order: { version: 'ASC' } }));
  }

  /** Whose definition it is, without its versions, which can have a megabyte; null when there is none of the kind. */
  owner(kind: DefinitionKind, definitionId: string): Promise<DefinitionOwner | null> {
    const where = { kind, definitionId, version: 1 };
    const select = { definitionId: true, version: true, organizerId: true } as const;
    return this.dataSource.manager.findOne(Definition, { where, select });
  }

  /** As `versions`, with the first version locked: changes of one definition are serialized. */
  async lockVersions(manager: EntityManager, kind: DefinitionKind, definitionId: string): Promise<Definition[]> {
    const lock = { mode: 'pessimistic_write' } as const;
    const first = await manager.findOne(Definition, { where: { kind, definitionId, version: 1 }, lock });
    if (!first) return [];
    return canonical(await manager.find(Definition, { where: { definitionId }, order: { version: 'ASC' } }));
  }

  /** The published segments of a platform, for checks of what refers to them; one that cannot be read has no body. */
  async segments(manager: EntityManager, platform: string): Promise<Map<string, KnownSegment>> {
    const where = { kind: 'segment' as const, platform, generation: Not(IsNull()) };
    const versions = await manager.find(Definition, { where, order: { version: 'ASC' } });
    const ids = new Set(versions.map(({ definitionId }) => definitionId));
    return new Map(
      [...ids].map((id) => {
        const own = versions.filter(({ definitionId }) => definitionId === id);
        const isEnded = own.some(({ state }) => state === 'ended');
        return [id, { isEnded, bodies: readableBodies(own) as SegmentBody[] }];
      }),
    );
  }

  /** The definitions of a page, in the order of the list. Of each, the version that is shown is read alone. */
  async list(filter: DefinitionFilter): Promise<ListedDefinition[]> {
    const query = this.dataSource
      .createQueryBuilder(Definition, 'first')
      .select(['first.definitionId', 'first.version', 'first.createdAt'])
      .where('first.version = 1 AND first.kind = :kind', { kind: filter.kind });
    if (filter.organizers !== 'all')
      query.andWhere('first.organizerId = ANY(:organizers)', { organizers: filter.organizers });
    if (filter.platform !== undefined) query.andWhere('first.platform = :platform', { platform: filter.platform });
    if (filter.before !== null) {
      const { createdAt, definitionId } = filter.before;
      query.andWhere(
        new Brackets((after) =>
          after.where('(first.createdAt, first.definitionId) < (:createdAt, :definitionId)', {
            createdAt,
            definitionId,
          }),
        ),
      );
    }
    const firsts = await query
      .orderBy('first.createdAt', 'DESC')
      .addOrderBy('first.definitionId', 'DESC')
      .limit(filter.limit)
      .getMany();
    const shown = await this.shownVersions(firsts.map(({ definitionId }) => definitionId));
    return firsts.map(({ definitionId, createdAt }) => ({ createdAt, shown: shown.get(definitionId)! }));
  }

  /** The version that a list shows of each definition, as `shownVersion` finds it among all of them. */
  private async shownVersions(definitionIds: readonly string[]): Promise<Map<string, Definition>> {
    const shown = await this.dataSource
      .createQueryBuilder(Definition, 'each')
      .distinctOn(['each.definitionId'])
      .where('each.definitionId = ANY(:definitionIds)', { definitionIds })
      .orderBy('each.definitionId')
      .addOrderBy(`each.state IN ('published', 'paused')`, 'DESC')
      .addOrderBy(`each.state = 'ended'`, 'DESC')
      .addOrderBy('each.version', 'DESC')
      .getMany();
    return new Map(canonical(shown).map((version) => [version.definitionId, version]));
  }
}

/** A body that cannot be read stays as it is stored, so that operators find its definition and can end it. */
function canonical(versions: Definition[]): Definition[] {
  for (const version of versions) version.body = canonicalBody(version) ?? version.body;
  return versions;
}

/** Of all versions; none where one of them cannot be read, because then the definition is not evaluated. */
function readableBodies(versions: readonly Definition[]): Definition['body'][] {
  const bodies = versions.flatMap((version) => canonicalBody(version) ?? []);
  return bodies.length < versions.length ? [] : bodies;
}

function canonicalBody({ kind, body, attributeTypes }: Definition): Definition['body'] | null {
  try {
    return readStoredBody(kind, body, attributeSpecs(attributeTypes));
  } catch {
    return null;
  }
}

/** `holdSlowWork` in the transaction of the change. */
export async function beginChange(manager: EntityManager): Promise<void> {
  await holdSlowWork(entityQueryable(manager));
}

/** `moveEpoch` in the transaction of the change. */
export async function raiseEpoch(manager: EntityManager): Promise<void> {
  await moveEpoch(entityQueryable(manager));
}

/** `acceptTaskDays` in the transaction of the change. */
export async function acceptDays(manager: EntityManager, { definitionId }: Definition): Promise<void> {
  await acceptTaskDays(entityQueryable(manager), definitionId);
}

/** `readPricedVersion` in the transaction of the change. */
export async function priceOf(
  manager: EntityManager,
  { definitionId, version }: Definition,
): Promise<PricedVersion | null> {
  return readPricedVersion(entityQueryable(manager), definitionId, version);
}

/** Lets the users of a definition, and of those that depend on it, be evaluated again. */
export async function restartSweep(manager: EntityManager, definitionId: string): Promise<void> {
  await endSweepPause(manager, definitionId);
  await restartSweeps(entityQueryable(manager), [definitionId]);
}

/** Ends the pause of a definition's sweep, which is that of one version. */
export async function endSweepPause(manager: EntityManager, definitionId: string): Promise<void> {
  await entityQueryable(manager).query(`DELETE FROM engagement.paused_sweeps WHERE definition_id = $1`, [definitionId]);
}

/** `appendAudit` in the transaction of the change. */
export async function auditDefinition(manager: EntityManager, entry: DefinitionAudit): Promise<void> {
  await appendAudit(entityQueryable(manager), entry);
}

/** `requireRoom` for a definition as this transaction has changed it. */
export async function requireRoomFor(manager: EntityManager, definitionId: string): Promise<void> {
  for (const data of await readDefinitionData(entityQueryable(manager), [definitionId])) requireRoom(data);
}

/** `tellDefinitions` in the transaction of the change. */
export async function tellDefinition(manager: EntityManager, definitionId: string): Promise<void> {
  await tellDefinitions(entityQueryable(manager), [definitionId]);
}
