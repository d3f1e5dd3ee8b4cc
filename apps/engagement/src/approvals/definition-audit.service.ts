import { Operator, Page, PageQuery, keyInCursor, pageOf } from '@podium/runtime/http';
import { Queryable } from '@podium/runtime/postgres';
import { listAudit } from '../definitions/definition-audit.store';
import { DefinitionKind } from '../definitions/definition.entity';
import { DefinitionsService } from '../definitions/definitions.service';
import { DefinitionAuditReply } from './definition-audit.dto';

/** Reads the audit trail of definitions. */
export class DefinitionAuditService {
  constructor(
    private readonly db: Queryable,
    private readonly definitions: DefinitionsService,
  ) {}

  /** Newest first; throws `not_found` for a definition that the operator may not see. */
  async list(
    kind: DefinitionKind,
    operator: Operator,
    definitionId: string,
    query: PageQuery,
  ): Promise<Page<DefinitionAuditReply>> {
    await this.definitions.show(kind, operator, definitionId);
    const [before] = keyInCursor(query.cursor, ['number']) ?? [null];
    const rows = await listAudit(this.db, definitionId, before, query.limit + 1);
    return pageOf(
      rows,
      query.limit,
      ({ id }) => [id],
      ({ id, at, operatorId, action, details }) => ({
        ...{ id, at: at.toISOString(), operator_id: operatorId, action, details },
      }),
    );
  }
}
