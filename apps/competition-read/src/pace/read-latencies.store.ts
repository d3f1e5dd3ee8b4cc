import { Queryable } from '@podium/runtime/postgres';
import { schema } from '../table-sets/table-set';

/** Reads count as ongoing for this time after an instance reported them. */
const freshMs = 2_000;

/** What the instances with reads report together. */
export interface ReportedReads {
  /** Instances that serve reads now. */
  readonly instances: number;
  /** The largest slowdown that any of them measured; null when none has. */
  readonly slowdown: number | null;
}

/** Reports that an instance serves reads now, and how much changes slow them down. */
export async function reportReads(db: Queryable, instance: string, slowdown: number | undefined): Promise<void> {
  await db.query(
    `INSERT INTO ${schema}.read_latencies (instance, measured_at, slowdown) VALUES ($1, clock_timestamp(), $2)
     ON CONFLICT (instance) DO UPDATE SET measured_at = excluded.measured_at, slowdown = excluded.slowdown`,
    [instance, slowdown ?? null],
  );
}

/** Reads what all instances reported within the last two seconds. */
export async function readReportedReads(db: Queryable): Promise<ReportedReads> {
  const { rows } = await db.query<{ instances: number; slowdown: number | null }>(
    `SELECT count(*)::int AS instances, max(slowdown)::float8 AS slowdown FROM ${schema}.read_latencies
     WHERE measured_at > clock_timestamp() - make_interval(secs => $1)`,
    [freshMs / 1000],
  );
  return rows[0];
}

/** Deletes rows of instances that no longer run. */
export async function deleteOldReports(db: Queryable): Promise<void> {
  await db.query(`DELETE FROM ${schema}.read_latencies WHERE measured_at < clock_timestamp() - interval '1 hour'`);
}
