import { Queryable } from '@podium/runtime/postgres';

/** An award that is not reversed. */
export interface StandingAward {
  readonly occurrence: string;
  /** Unix seconds: when it was reached, as known at its issue. */
  readonly reachedAt: number;
  /** Unix seconds: the same, as known now. */
  readonly owedAt: number;
  /** Unix seconds of its newest issue. */
  readonly issuedAt: number;
  readonly evidence: { readonly values: Readonly<Record<string, string>>; readonly events: readonly { id: string }[] };
}

/** What a task has given, held and taken back, one by one. */
export interface LedgerRows {
  readonly issued: ReadonlyMap<string, StandingAward>;
  /** Statuses of occurrences that are owed and not issued. */
  readonly unissued: ReadonlyMap<string, string>;
  readonly reversed: ReadonlySet<string>;
}

/** Reads the ledger of the only user of a task, with statements of its own. */
export async function readLedger(db: Queryable, taskId: string): Promise<LedgerRows> {
  const { rows: awards } = await db.query<StandingAward & { reversed: boolean }>(
    `SELECT occurrence, reached_at AS "reachedAt", owed_at AS "owedAt", reversed,
       extract(epoch FROM issued_at)::float8 AS "issuedAt",
       (SELECT evidence FROM engagement.award_evidence AS kept WHERE kept.award_id = awards.award_id
        ORDER BY seq DESC LIMIT 1) AS evidence
     FROM engagement.awards WHERE task_id = $1`,
    [taskId],
  );
  const { rows: unissued } = await db.query<{ series: string; first: number; last: number; status: string }>(
    'SELECT series, first, last, status FROM engagement.unissued_awards WHERE task_id = $1',
    [taskId],
  );
  const keysOf = ({ series, first, last }: { series: string; first: number; last: number }): string[] =>
    series.endsWith(':every')
      ? Array.from({ length: last - first + 1 }, (_, at) => `${series}:${first + at}`)
      : [series];
  return {
    issued: new Map(awards.filter(({ reversed }) => !reversed).map((award) => [award.occurrence, award])),
    unissued: new Map(unissued.flatMap((row) => keysOf(row).map((key) => [key, row.status] as const))),
    reversed: new Set(awards.filter(({ reversed }) => reversed).map(({ occurrence }) => occurrence)),
  };
}
