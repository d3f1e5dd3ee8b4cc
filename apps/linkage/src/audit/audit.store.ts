import { Queryable } from '@podium/runtime/postgres';

/** A recorded change. */
export interface AuditEntry {
  /** Operator id, user id, or the part of the service that made the change. */
  readonly actor: string;
  /** The action, for example `integration.paused`. */
  readonly action: string;
  /** The changed object, for example `integration:<id>`. */
  readonly subject: string;
  /** Null for objects without an organizer. */
  readonly organizerId: string | null;
  /** The changed fields; never a key, token, code or client secret. */
  readonly detail: Readonly<Record<string, unknown>>;
}

/** An entry as stored. */
export interface AuditRow extends AuditEntry {
  readonly id: number;
  readonly at: Date;
}

/** Filters of a list. */
export interface AuditFilter {
  readonly organizers: 'all' | readonly string[];
  readonly subject?: string;
  readonly actor?: string;
  readonly action?: string;
  /** Only entries older than this id. */
  readonly before: number | null;
  readonly limit: number;
}

/** Adds an entry in the transaction of the change itself, so that both are stored or neither. */
export async function appendAudit(tx: Queryable, entry: AuditEntry): Promise<void> {
  await tx.query(
    `INSERT INTO linkage.audit (actor, action, subject, organizer_id, detail) VALUES ($1, $2, $3, $4, $5)`,
    [entry.actor, entry.action, entry.subject, entry.organizerId, JSON.stringify(entry.detail)],
  );
}

/** Entries, newest first. */
export async function listAudit(db: Queryable, filter: AuditFilter): Promise<AuditRow[]> {
  const { rows } = await db.query<AuditRow>(
    `SELECT id, at, actor, action, subject, organizer_id AS "organizerId", detail
     FROM linkage.audit
     WHERE ($1::text[] IS NULL OR organizer_id = ANY ($1))
       AND ($2::text IS NULL OR subject = $2)
       AND ($3::text IS NULL OR actor = $3)
       AND ($4::text IS NULL OR action = $4)
       AND ($5::bigint IS NULL OR id < $5)
     ORDER BY id DESC
     LIMIT $6`,
    [
      filter.organizers === 'all' ? null : filter.organizers,
      filter.subject ?? null,
      filter.actor ?? null,
      filter.action ?? null,
      filter.before,
      filter.limit,
    ],
  );
  return rows;
}
