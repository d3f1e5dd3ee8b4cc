import { Operator, Page, PageQuery, keyInCursor, pageOf, requireRole } from '@podium/runtime/http';
import { Queryable } from '@podium/runtime/postgres';
import { listAudit, ratesSubject } from '../definitions/definition-audit.store';
import { DefinitionKind } from '../definitions/definition.entity';
import { DefinitionsService } from '../definitions/definitions.service';
import { RatesAuditQuery } from '../rates/rate.dto';
import { isoTime } from '../reports/award-evidence-reply';
import { DefinitionAuditReply } from './definition-audit.dto';

/** Reads the audit trail of definitions and rates. */
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
    await this.definitions.requireVisible(kind, operator, definitionId);
    return this.listOf(definitionId, query);
  }

  /** Newest first; throws `forbidden` for an organizer that the operator may not see. */
  async ofRates(operator: Operator, query: RatesAuditQuery): Promise<Page<DefinitionAuditReply>> {
    requireRole(operator, query.organizer_id, 'viewer');
    return this.listOf(ratesSubject(query.organizer_id), query);
  }

  private async listOf(subject: string, query: PageQuery): Promise<Page<DefinitionAuditReply>> {
    const [before] = keyInCursor(query.cursor, ['number']) ?? [null];
    const rows = await listAudit(this.db, subject, before, query.limit + 1);
    return pageOf(
      rows,
      query.limit,
      ({ id }) => [id],
      ({ id, at, operatorId, action, details }) => ({
        ...{ id, at: at.toISOString(), operator_id: operatorId, action, details: shownDetails(details) },
      }),
    );
  }
}

/** Details that are stored as Unix seconds. */
const times: readonly string[] = ['in_force_from', 'ended_at'];

function shownDetails(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const shown = Object.entries(details).map(([name, value]): [string, unknown] => [
    name,
    times.includes(name) && typeof value === 'number' ? isoTime(value) : value,
  ]);
  return Object.fromEntries(shown);
}
