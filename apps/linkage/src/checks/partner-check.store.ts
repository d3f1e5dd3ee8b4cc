import type { CheckReport } from '@podium/partner-check';
import { Queryable } from '@podium/runtime/postgres';

/** A check as stored, without its report; `interrupted` also covers one whose instance has ended without a word. */
export interface PartnerCheckSummaryRow {
  readonly checkId: string;
  readonly integrationId: string;
  readonly integrationVersion: number;
  readonly status: 'running' | 'waiting_for_log_in' | 'finished' | 'interrupted';
  readonly startedBy: string;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly verdict: CheckReport['verdict'] | null;
}

/** A check as stored. */
export interface PartnerCheckRow extends PartnerCheckSummaryRow {
  readonly logInNumber: number | null;
  readonly logInPurpose: string | null;
  /** The secret of the address at which the log-in is opened, sealed. */
  readonly entryEnc: string | null;
  readonly report: CheckReport | null;
}

/** A log-in for which a check waits. */
export interface WaitingLogIn {
  readonly number: number;
  readonly purpose: string;
  /** The partner's URL, sealed. */
  readonly urlEnc: string;
  readonly stateHash: Buffer;
  /** The secret of the address at which it is opened: sealed, and its SHA-256. */
  readonly entryEnc: string;
  readonly entryHash: Buffer;
}

/** A check that waits for a log-in, as a redirect finds it. */
export interface WaitingCheck {
  readonly checkId: string;
  readonly hasState: boolean;
  /** Whether the browser has opened the log-in, and no other has since. */
  readonly isOfBrowser: boolean;
  /** Whether the browser has an open flow of a user with the partner too. */
  readonly browserHasFlow: boolean;
}

/** A check that was not heard of for this long is interrupted. */
const silentAfterS = 60;
const reportsKept = 20;
/** A check that another start has marked as interrupted stays so. */
const isRunning = `status IN ('running', 'waiting_for_log_in')`;
const noLogIn = `log_in_url_enc = NULL, state_hash = NULL, entry_enc = NULL, entry_hash = NULL, browser_hash = NULL,
         return_enc = NULL`;

/** Adds a running check, and removes the oldest beyond twenty; the unique index refuses a second running one. */
export async function insertCheck(
  tx: Queryable,
  check: Pick<PartnerCheckRow, 'checkId' | 'integrationId' | 'integrationVersion' | 'startedBy'>,
): Promise<void> {
  await tx.query(
    `UPDATE linkage.partner_checks SET status = 'interrupted', ${noLogIn}
     WHERE integration_id = $1 AND ${isRunning}
       AND alive_at < clock_timestamp() - make_interval(secs => $2)`,
    [check.integrationId, silentAfterS],
  );
  await tx.query(
    `INSERT INTO linkage.partner_checks (check_id, integration_id, integration_version, status, started_by)
     VALUES ($1, $2, $3, 'running', $4)`,
    [check.checkId, check.integrationId, check.integrationVersion, check.startedBy],
  );
  await tx.query(
    `DELETE FROM linkage.partner_checks WHERE check_id IN (
       SELECT check_id FROM linkage.partner_checks WHERE integration_id = $1
       ORDER BY started_at DESC OFFSET $2)`,
    [check.integrationId, reportsKept],
  );
}

/** Columns of a check without its report; the first parameter of the statement is `silentAfterS`. */
const summaryColumns = `check_id AS "checkId", integration_id AS "integrationId", integration_version AS "integrationVersion",
            CASE WHEN ${isRunning}
                   AND alive_at < clock_timestamp() - make_interval(secs => $1) THEN 'interrupted' ELSE status END AS status,
            started_by AS "startedBy", started_at AS "startedAt", finished_at AS "finishedAt"`;

export async function readCheck(
  db: Queryable,
  key: Pick<PartnerCheckRow, 'checkId' | 'integrationId'>,
): Promise<PartnerCheckRow | null> {
  const { rows } = await db.query<PartnerCheckRow>(
    `SELECT ${summaryColumns},
            log_in_number AS "logInNumber", log_in_purpose AS "logInPurpose", entry_enc AS "entryEnc", report,
            report ->> 'verdict' AS verdict
     FROM linkage.partner_checks WHERE check_id = $2 AND integration_id = $3`,
    [silentAfterS, key.checkId, key.integrationId],
  );
  return rows[0] ?? null;
}

/** The kept checks of an integration, newest first. */
export async function listChecks(db: Queryable, integrationId: string): Promise<PartnerCheckSummaryRow[]> {
  const { rows } = await db.query<PartnerCheckSummaryRow>(
    `SELECT ${summaryColumns}, report ->> 'verdict' AS verdict
     FROM linkage.partner_checks WHERE integration_id = $2 ORDER BY started_at DESC, check_id`,
    [silentAfterS, integrationId],
  );
  return rows;
}

/** Waits for a log-in from now on. */
export async function putLogIn(db: Queryable, checkId: string, logIn: WaitingLogIn): Promise<void> {
  await db.query(
    `UPDATE linkage.partner_checks
     SET status = 'waiting_for_log_in', log_in_number = $2, log_in_purpose = $3, log_in_url_enc = $4, state_hash = $5,
         entry_enc = $6, entry_hash = $7, browser_hash = NULL, return_enc = NULL, alive_at = clock_timestamp()
     WHERE check_id = $1 AND ${isRunning}`,
    [checkId, logIn.number, logIn.purpose, logIn.urlEnc, logIn.stateHash, logIn.entryEnc, logIn.entryHash],
  );
}

/** Binds the log-in of a waiting check to a browser; null when there is none with this entry. */
export async function bindBrowser(
  db: Queryable,
  key: { entryHash: Buffer; browserHash: Buffer },
): Promise<{ checkId: string; urlEnc: string } | null> {
  const { rows } = await db.query<{ checkId: string; urlEnc: string }>(
    `UPDATE linkage.partner_checks SET browser_hash = $2
     WHERE entry_hash = $1 AND status = 'waiting_for_log_in' AND return_enc IS NULL
       AND alive_at >= clock_timestamp() - make_interval(secs => $3)
     RETURNING check_id AS "checkId", log_in_url_enc AS "urlEnc"`,
    [key.entryHash, key.browserHash, silentAfterS],
  );
  return rows[0] ?? null;
}

/** The check of an integration that waits for a log-in, compared with a redirect. */
export async function findWaitingCheck(
  db: Queryable,
  { integrationId, stateHash, browserHash }: { integrationId: string; stateHash: Buffer; browserHash: Buffer | null },
): Promise<WaitingCheck | null> {
  const { rows } = await db.query<WaitingCheck>(
    `SELECT check_id AS "checkId", state_hash = $2 AS "hasState", coalesce(browser_hash = $3, false) AS "isOfBrowser",
            EXISTS (SELECT FROM linkage.oauth_flows f
                    WHERE f.browser_hash = $3 AND f.integration_id = $1 AND f.expires_at > now()) AS "browserHasFlow"
     FROM linkage.partner_checks
     WHERE integration_id = $1 AND status = 'waiting_for_log_in' AND return_enc IS NULL
       AND alive_at >= clock_timestamp() - make_interval(secs => $4)`,
    [integrationId, stateHash, browserHash, silentAfterS],
  );
  return rows[0] ?? null;
}

/** Keeps the redirect of the log-in's browser for the instance that runs the check; false when another one came first. */
export async function putReturn(
  db: Queryable,
  { checkId, browserHash, returnEnc }: { checkId: string; browserHash: Buffer; returnEnc: string },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE linkage.partner_checks SET return_enc = $3
     WHERE check_id = $1 AND browser_hash = $2 AND status = 'waiting_for_log_in' AND return_enc IS NULL`,
    [checkId, browserHash, returnEnc],
  );
  return rowCount === 1;
}

/** Says that the check is alive. */
export async function keepAlive(db: Queryable, checkId: string): Promise<void> {
  await db.query(
    `UPDATE linkage.partner_checks SET alive_at = clock_timestamp() WHERE check_id = $1 AND ${isRunning}`,
    [checkId],
  );
}

/** Says that the check is alive; returns the redirect that has arrived, sealed. */
export async function pollReturn(db: Queryable, checkId: string): Promise<string | null> {
  const { rows } = await db.query<{ returnEnc: string | null }>(
    `UPDATE linkage.partner_checks SET alive_at = clock_timestamp() WHERE check_id = $1
     RETURNING return_enc AS "returnEnc"`,
    [checkId],
  );
  return rows[0]?.returnEnc ?? null;
}

/** The log-in has ended; the check goes on. */
export async function endLogIn(db: Queryable, checkId: string): Promise<void> {
  await db.query(
    `UPDATE linkage.partner_checks
     SET status = 'running', ${noLogIn}, alive_at = clock_timestamp()
     WHERE check_id = $1 AND ${isRunning}`,
    [checkId],
  );
}

/** Ends a check, without a report when it was interrupted. */
export async function endCheck(db: Queryable, checkId: string, report: CheckReport | null): Promise<void> {
  await db.query(
    `UPDATE linkage.partner_checks
     SET status = $2, report = $3, finished_at = clock_timestamp(), ${noLogIn}
     WHERE check_id = $1 AND ${isRunning}`,
    [checkId, report === null ? 'interrupted' : 'finished', report === null ? null : JSON.stringify(report)],
  );
}
