import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError } from '@podium/messages';
import type { LiveSecret } from '@podium/partner-check';
import { Operator, mayActFor } from '@podium/runtime/http';
import { Pool, inTransaction, queryable, violatedConstraint } from '@podium/runtime/postgres';
import { appendAudit } from '../audit/audit.store';
import { Integration } from '../entities/integration.entity';
import { IntegrationReply } from '../integrations/integration-reply.dto';
import { IntegrationService } from '../integrations/integration.service';
import { IntegrationStore } from '../integrations/integration.store';
import { redirectUrlOf } from '../integrations/redirect-url';
import { requireComplete } from '../integrations/require-complete';
import { RedirectBases } from '../links/redirect-bases';
import { PartnerIntegrationStore } from '../links/partner-integration.store';
import { secretLocations } from '../vault/secret-locations';
import { Vault } from '../vault/vault';
import { CheckRunner } from './check-runner';
import { derivedChanges } from './derived-changes';
import { PartnerCheckReply, PartnerCheckSummary, PartnerChecksReply } from './partner-check.dto';
import { PartnerCheckRow, PartnerCheckSummaryRow, insertCheck, listChecks, readCheck } from './partner-check.store';

/** How long a start waits for the first log-in, so that its response can have the URL. */
const firstLogInWithinMs = 8000;
const pollMs = 250;

/** Operators' checks of partners' servers. */
export class PartnerChecks {
  constructor(
    private readonly parts: {
      readonly pool: Pool;
      readonly integrationStore: IntegrationStore;
      readonly integrations: IntegrationService;
      readonly partners: PartnerIntegrationStore;
      readonly vault: Vault;
      readonly runner: CheckRunner;
      /** Whether this instance is about to end, and a check with it. */
      readonly isStopping: () => boolean;
    },
    private readonly redirectBases: RedirectBases,
    private readonly publicUrl: string,
  ) {}

  /**
   * Starts a check; throws `conflict` while another one of the integration runs, `unprocessable` before it is complete, `unavailable`
   * while this instance stops.
   */
  async start(operator: Operator, integrationId: string): Promise<PartnerCheckReply> {
    const { integrationStore, partners, runner, isStopping } = this.parts;
    const integration = await integrationStore.get(operator, integrationId, 'editor');
    requireComplete(integration);
    const partner = await partners.get(integrationId);
    if (!partner) throw new CodedError('not_found');
    if (isStopping())
      throw new CodedError('unavailable', {
        message: 'The instance that would run the check is about to stop; nothing was started. Start it again.',
      });
    const { baseUrl, clientId, clientSecret, previousClientSecret, profile } = partner.connection;
    const checkId = randomUUID();
    await this.insert(operator, integration, checkId);
    const redirectUri = redirectUrlOf(integrationId, this.redirectBases.baseOf(profile.redirectBase));
    const liveSecrets = this.liveSecrets(integrationId, clientSecret, previousClientSecret);
    const { scope, issuer, timeoutMs } = profile;
    const target = { baseUrl, clientId, clientSecret, liveSecrets, redirectUri, scope, issuer, timeoutMs };
    runner.begin({
      checkId,
      platform: partner.platform,
      target: { ...target, authorizationUrl: partner.authorizationUrl },
    });
    const untilMs = performance.now() + firstLogInWithinMs;
    let check = await this.show(operator, integrationId, checkId);
    while (check.status === 'running' && performance.now() < untilMs) {
      await sleep(pollMs);
      check = await this.show(operator, integrationId, checkId);
    }
    return check;
  }

  /** A check with its report, once it is finished. */
  async show(operator: Operator, integrationId: string, checkId: string): Promise<PartnerCheckReply> {
    const { organizerId } = await this.parts.integrationStore.get(operator, integrationId);
    return this.reply(await this.read(integrationId, checkId), mayActFor(operator, organizerId, 'editor'));
  }

  /** The kept checks, newest first. */
  async list(operator: Operator, integrationId: string): Promise<PartnerChecksReply> {
    await this.parts.integrationStore.get(operator, integrationId);
    const checks = await listChecks(queryable(this.parts.pool), integrationId);
    return { items: checks.map(summaryOf) };
  }

  /** Applies the derived profile; throws `unprocessable` when linking did not work. */
  async apply(operator: Operator, integrationId: string, checkId: string): Promise<IntegrationReply> {
    const { integrationStore, integrations } = this.parts;
    const integration = await integrationStore.get(operator, integrationId, 'admin');
    const { report, integrationVersion } = await this.read(integrationId, checkId);
    if (report?.verdict !== 'links')
      throw new CodedError('unprocessable', {
        message: 'The check has no profile with which linking works; fix its findings and check again.',
      });
    const changes = { ...derivedChanges(report, integration), expected_version: integrationVersion };
    return integrations.update(operator, integrationId, changes, { applied_check: checkId });
  }

  /** Both secrets of a rotation with their fingerprints; none without one. */
  private liveSecrets(integrationId: string, current: string, previous: string | null): LiveSecret[] {
    if (previous === null) return [];
    const place = secretLocations.clientSecret(integrationId);
    const named = (which: LiveSecret['which'], secret: string): LiveSecret => {
      const [fingerprint] = this.parts.vault.fingerprints(secret, place);
      return { which, fingerprint, secret };
    };
    return [named('current', current), named('previous', previous)];
  }

  private async insert(operator: Operator, integration: Integration, checkId: string): Promise<void> {
    const { integrationId, version: integrationVersion, organizerId } = integration;
    try {
      await inTransaction(this.parts.pool, async (tx) => {
        await insertCheck(tx, { checkId, integrationId, integrationVersion, startedBy: operator.operatorId });
        await appendAudit(tx, {
          actor: operator.operatorId,
          action: 'integration.check_started',
          subject: `integration:${integrationId}`,
          organizerId,
          detail: { check_id: checkId },
        });
      });
    } catch (error) {
      if (violatedConstraint(error) !== 'partner_checks_one_running') throw error;
      throw new CodedError('conflict', {
        message: 'A check of this integration runs; wait until it has ended, at most 10 minutes after its last log-in.',
      });
    }
  }

  private async read(integrationId: string, checkId: string): Promise<PartnerCheckRow> {
    const check = await readCheck(queryable(this.parts.pool), { checkId, integrationId });
    if (!check) throw new CodedError('not_found');
    return check;
  }

  private reply(check: PartnerCheckRow, showsUrl: boolean): PartnerCheckReply {
    const waits = check.status === 'waiting_for_log_in';
    const { entryEnc, checkId } = check;
    return {
      ...summaryOf(check),
      log_in_url:
        waits && showsUrl && entryEnc !== null
          ? `${this.publicUrl}/connect/check?entry=${this.parts.vault.open(entryEnc, secretLocations.checkEntry(checkId))}`
          : null,
      log_in_number: waits ? check.logInNumber : null,
      log_in_purpose: waits ? check.logInPurpose : null,
      report: check.report,
    };
  }
}

function summaryOf(check: PartnerCheckSummaryRow): PartnerCheckSummary {
  return {
    check_id: check.checkId,
    status: check.status,
    started_by: check.startedBy,
    started_at: check.startedAt.toISOString(),
    finished_at: check.finishedAt?.toISOString() ?? null,
    verdict: check.verdict,
  };
}
