import { Queryable, entityQueryable } from '@podium/runtime/postgres';
import { Brackets, DataSource, EntityManager, In } from 'typeorm';
import { PublishedDefinition } from '../evaluation/compiled-definition';
import { Definition, DefinitionKind } from './definition.entity';
import { holdEpoch, moveEpoch } from './epoch.store';

/** Which definitions a list shows; newest first. */
export interface DefinitionFilter {
  readonly kind: DefinitionKind;
  readonly organizers: 'all' | readonly string[];
  readonly platform?: string;
  /** Only definitions after this position of the list. */
  readonly before: { readonly createdAt: Date; readonly definitionId: string } | null;
  readonly limit: number;
}

/** A change for the audit trail. */
export interface DefinitionAudit {
  readonly operatorId: string;
  readonly organizerId: string;
  /** For example `task.published`. */
  readonly action: string;
  readonly definitionId: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Definitions for operators (by entity) and for the application of events (in its transaction). */
export class DefinitionsStore {
  constructor(private readonly dataSource: DataSource) {}

  /** See `holdEpoch`. */
  readEpoch(tx: Queryable): Promise<string> {
    return holdEpoch(tx);
  }

  /** All versions in force, including paused ones; during a rebuild all count as paused, so that they only gather state. */
  async loadPublished(tx: Queryable): Promise<PublishedDefinition[]> {
    const { rows } = await tx.query<PublishedDefinition>(
      `SELECT definition_id AS "definitionId", version, generation, kind, platform, organizer_id AS "organizerId",
         state = 'paused' OR EXISTS (
           SELECT 1 FROM engagement.replays WHERE kind = 'rebuild' AND finished_at IS NULL) AS paused,
         floor(extract(epoch FROM counts_from) * 1000)::bigint AS "countsFromMs", body, attribute_types AS "attributeTypes"
       FROM engagement.definitions WHERE state IN ('published', 'paused') ORDER BY definition_id`,
    );
    return rows;
  }

  transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction(work);
  }

  /** All versions of a definition, oldest first; empty when there is none of the kind. */
  versions(kind: DefinitionKind, definitionId: string): Promise<Definition[]> {
    return this.dataSource.manager.find(Definition, { where: { kind, definitionId }, order: { version: 'ASC' } });
  }

  /** As `versions`, with the first version locked: changes of one definition are serialized. */
  async lockVersions(manager: EntityManager, kind: DefinitionKind, definitionId: string): Promise<Definition[]> {
    const lock = { mode: 'pessimistic_write' } as const;
    const first = await manager.findOne(Definition, { where: { kind, definitionId, version: 1 }, lock });
    if (!first) return [];
    return manager.find(Definition, { where: { definitionId }, order: { version: 'ASC' } });
  }

  /** The versions of the definitions of a page, by definition, in the order of the list. */
  async list(filter: DefinitionFilter): Promise<Definition[][]> {
    const query = this.dataSource
      .createQueryBuilder(Definition, 'first')
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
    const all = await this.dataSource.manager.find(Definition, {
      where: { definitionId: In(firsts.map((first) => first.definitionId)) },
      order: { version: 'ASC' },
    });
    return firsts.map(({ definitionId }) => all.filter((version) => version.definitionId === definitionId));
  }
}

/** `moveEpoch` in the transaction of the change. */
export async function raiseEpoch(manager: EntityManager): Promise<void> {
  await moveEpoch(entityQueryable(manager));
}

/** Adds an entry to the audit trail in the transaction of the change. */
export async function auditDefinition(manager: EntityManager, entry: DefinitionAudit): Promise<void> {
  await entityQueryable(manager).query(
    `INSERT INTO engagement.audit (operator_id, organizer_id, action, subject, details) VALUES ($1, $2, $3, $4, $5)`,
    [entry.operatorId, entry.organizerId, entry.action, entry.definitionId, JSON.stringify(entry.details)],
  );
}
