import { Queryable } from '@podium/runtime/postgres';

/** A change for the audit trail; its details name no user. */
export interface DefinitionAudit {
  readonly operatorId: string;
  readonly organizerId: string;
  /** For example `task.published`. */
  readonly action: string;
  /** Or another subject: `ratesSubject`. */
  readonly definitionId: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** An entry as stored. */
export interface DefinitionAuditRow {
  readonly id: number;
  readonly at: Date;
  readonly operatorId: string;
  readonly action: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Adds an entry to the audit trail in the transaction of the change. */
export async function appendAudit(tx: Queryable, entry: DefinitionAudit): Promise<void> {
  await tx.query(
    `INSERT INTO engagement.audit (operator_id, organizer_id, action, subject, details) VALUES ($1, $2, $3, $4, $5)`,
    [entry.operatorId, entry.organizerId, entry.action, entry.definitionId, JSON.stringify(entry.details)],
  );
}

/** What the entries of changed rates of an organizer are about. */
export function ratesSubject(organizerId: string): string {
  return `rates of ${organizerId}`;
}

/** The entries about a definition, or another subject, newest first; `before` is the id after which the page begins. */
export async function listAudit(
  db: Queryable,
  subject: string,
  before: number | null,
  limit: number,
): Promise<DefinitionAuditRow[]> {
  const { rows } = await db.query<DefinitionAuditRow>(
    `SELECT audit_id AS id, at, operator_id AS "operatorId", action, details
     FROM engagement.audit WHERE subject = $1 AND ($2::bigint IS NULL OR audit_id < $2)
     ORDER BY audit_id DESC LIMIT $3`,
    [subject, before, limit],
  );
  return rows;
}
