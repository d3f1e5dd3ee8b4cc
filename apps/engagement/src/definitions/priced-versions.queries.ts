import { Queryable } from '@podium/runtime/postgres';

/** What a dry run found for a version. */
export interface PricedVersion {
  readonly dryRunId: string;
  readonly awards: number;
  /** Decimal, in units of the reward. */
  readonly cost: string;
  /** Unix seconds, half-open: the dates of the dry run. */
  readonly from: number;
  readonly to: number;
}

/** The newest finished dry run of a version; null without one. */
export async function readPricedVersion(
  tx: Queryable,
  definitionId: string,
  version: number,
): Promise<PricedVersion | null> {
  const { rows } = await tx.query<
    Omit<PricedVersion, 'awards' | 'from' | 'to'> & Record<'awards' | 'from' | 'to', string>
  >(
    `SELECT trial_id AS "dryRunId", awards::text, cost::text, dates_from::text AS from, dates_to::text AS to
     FROM engagement.trials JOIN engagement.trial_tasks USING (trial_id)
     WHERE definition_id = $1 AND trials.version = $2 AND side = 'draft' AND state = 'finished'
     ORDER BY finished_at DESC LIMIT 1`,
    [definitionId, version],
  );
  if (rows.length === 0) return null;
  const { dryRunId, awards, cost, from, to } = rows[0];
  return { dryRunId, awards: Number(awards), cost, from: Number(from), to: Number(to) };
}
