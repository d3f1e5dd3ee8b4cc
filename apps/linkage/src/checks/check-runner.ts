import { setTimeout as sleep } from 'node:timers/promises';
import { CheckTarget, LogIn, LogInReturn, runCheck } from '@podium/partner-check';
import { randomSecret, secretHash } from '@podium/partner-check/protocol/authorization-request';
import type { Logger } from '@podium/runtime/log';
import { Queryable } from '@podium/runtime/postgres';
import { isLinked } from '../links/linked-accounts.store';
import { Deadline } from '../partner-client/deadline';
import { PartnerHttp } from '../partner-client/partner-http';
import { patientQueries } from '../outlast-outage';
import { secretLocations } from '../vault/secret-locations';
import { Vault } from '../vault/vault';
import { CheckMetrics } from './check-metrics';
import { GuardedTransport } from './guarded-transport';
import { endCheck, endLogIn, keepAlive, pollReturn, putLogIn } from './partner-check.store';

const pollMs = 500;
/** A check that does not end at once when the process stops is left. */
const stopWithinMs = 2000;
/** How long an operator has for one log-in. */
const logInWithinMs = 10 * 60_000;

/** A check to run. */
export interface CheckOrder {
  readonly checkId: string;
  readonly platform: string;
  readonly target: CheckTarget;
}

/**
 * Runs checks in this instance. A redirect may arrive at any instance, so it comes by way of the table. Codes, tokens and secrets
 * stay in memory; a check whose instance ends is interrupted and must be started again.
 */
export class CheckRunner {
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  /** An outage of Postgres must not cost the log-ins that an operator has made. */
  private readonly db: Queryable;

  constructor(
    private readonly parts: {
      readonly db: Queryable;
      readonly http: PartnerHttp;
      readonly vault: Vault;
      readonly logger: Logger;
      readonly metrics: CheckMetrics;
    },
    private readonly aliveEveryMs = 15_000,
  ) {
    this.db = patientQueries(parts.db, this.stopping.signal);
  }

  /** Begins a check; its progress is in the table. */
  begin(order: CheckOrder): void {
    const run = this.run(order).finally(() => this.running.delete(run));
    this.running.add(run);
  }

  /** Interrupts what runs, with its requests. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Deadline.within(stopWithinMs).orLate(Promise.all(this.running));
  }

  private async run(order: CheckOrder): Promise<void> {
    const { db, parts } = this;
    const { http, logger, metrics } = parts;
    const { checkId, platform, target } = order;
    const alive = setInterval(() => void keepAlive(parts.db, checkId).catch(() => undefined), this.aliveEveryMs);
    try {
      const report = await runCheck(target, {
        transport: new GuardedTransport(http, platform, this.stopping.signal),
        browser: { logIn: (logIn) => this.logIn(checkId, logIn) },
        nowMs: Date.now,
        isAccountInUse: (sub) => isLinked(db, { platform, sub }),
      });
      await endCheck(db, checkId, report);
      metrics.ended(report.verdict);
      logger.info({ platform, check_id: checkId, verdict: report.verdict }, 'a check of a partner ended');
    } catch (error) {
      metrics.ended('interrupted');
      logger.warn({ platform, check_id: checkId, err: error }, 'a check of a partner was interrupted');
      await endCheck(db, checkId, null).catch(() => undefined);
    } finally {
      clearInterval(alive);
    }
  }

  private async logIn(checkId: string, { number, purpose, url, state }: LogIn): Promise<LogInReturn> {
    const { db } = this;
    const { vault } = this.parts;
    const urlEnc = vault.seal(url, secretLocations.checkLogIn(checkId));
    const entry = randomSecret();
    const entryEnc = vault.seal(entry, secretLocations.checkEntry(checkId));
    const waiting = { number, purpose, urlEnc, stateHash: secretHash(state), entryEnc, entryHash: secretHash(entry) };
    await putLogIn(db, checkId, waiting);
    const untilMs = performance.now() + logInWithinMs;
    while (performance.now() < untilMs) {
      await sleep(pollMs, undefined, { signal: this.stopping.signal });
      const returnEnc = await pollReturn(db, checkId);
      if (returnEnc === null) continue;
      await endLogIn(db, checkId);
      return { returned: true, query: vault.open(returnEnc, secretLocations.checkReturn(checkId)) };
    }
    await endLogIn(db, checkId);
    return { returned: false };
  }
}
