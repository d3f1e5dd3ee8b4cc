import { Operator, Page, keyInCursor, pageOf, requireRole, visibleOrganizers } from '@podium/runtime/http';
import { Queryable } from '@podium/runtime/postgres';
import { AuditQuery, AuditReply } from './audit.dto';
import { AuditRow, listAudit } from './audit.store';

/** Reads the audit log. */
export class AuditService {
  constructor(private readonly db: Queryable) {}

  /**
   * Entries of the organizers that the operator may see, newest first. Only operators of the whole service see entries without
   * an organizer.
   */
  async list(operator: Operator, query: AuditQuery): Promise<Page<AuditReply>> {
    if (query.organizer_id !== undefined) requireRole(operator, query.organizer_id, 'viewer');
    const [before] = keyInCursor(query.cursor, ['number']) ?? [null];
    const rows = await listAudit(this.db, {
      organizers: query.organizer_id === undefined ? visibleOrganizers(operator) : [query.organizer_id],
      subject: query.subject,
      actor: query.actor,
      action: query.action,
      before,
      limit: query.limit + 1,
    });
    return pageOf(rows, query.limit, (row) => [row.id], replyOf);
  }
}

function replyOf(row: AuditRow): AuditReply {
  return {
    id: row.id,
    at: row.at.toISOString(),
    actor: row.actor,
    action: row.action,
    subject: row.subject,
    organizer_id: row.organizerId,
    detail: row.detail,
  };
}
