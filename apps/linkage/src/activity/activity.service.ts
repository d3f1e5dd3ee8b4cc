import { Operator, Page, keyInCursor, pageOf } from '@podium/runtime/http';
import { Queryable } from '@podium/runtime/postgres';
import { IntegrationStore } from '../integrations/integration.store';
import { ExchangeReply, ExchangesQuery, RefreshReply, RefreshesQuery } from './activity-lists.dto';
import { LinkingReportQuery, LinkingReportReply } from './linking-report.dto';
import { ExchangeRow, RefreshRow, readBreakers, readCounts, readExchanges, readRefreshes } from './activity.queries';
import { linkingReport } from './linking-report';
import { SecretUse } from './secret-use';

/** This hour of the clock and the one before, because counts are kept by hours: at least the last sixty minutes. */
const recentHours = 2;

/** What happens with a partner, as an operator of its organizer may see it. */
export class ActivityService {
  constructor(
    private readonly db: Queryable,
    private readonly integrations: IntegrationStore,
    private readonly secretUse: SecretUse,
  ) {}

  /** The funnel of linking, requests and breakers; throws `not_found`. */
  async report(operator: Operator, integrationId: string, { hours }: LinkingReportQuery): Promise<LinkingReportReply> {
    const integration = await this.integrations.get(operator, integrationId);
    const { clientSecretEnc, previousClientSecretEnc } = integration;
    const [counts, recent, breakers, current, previous] = await Promise.all([
      readCounts(this.db, integrationId, hours),
      readCounts(this.db, integrationId, recentHours),
      readBreakers(this.db, integration.platform),
      this.secretUse.lastAccepted(integrationId, clientSecretEnc),
      previousClientSecretEnc === null
        ? undefined
        : this.secretUse.lastAccepted(integrationId, previousClientSecretEnc),
    ]);
    return linkingReport(integration, hours, { counts, recent, breakers, secrets: { current, previous } });
  }

  /** Redacted exchanges, newest first; throws `not_found`. */
  async exchanges(operator: Operator, integrationId: string, query: ExchangesQuery): Promise<Page<ExchangeReply>> {
    await this.integrations.get(operator, integrationId);
    const [before] = keyInCursor(query.cursor, ['number']) ?? [null];
    const rows = await readExchanges(this.db, {
      ...{ integrationId, before, limit: query.limit + 1 },
      failed: query.failed === undefined ? null : query.failed === 'true',
      operation: query.operation ?? null,
    });
    return pageOf(rows, query.limit, (row) => [row.exchangeId], exchangeReply);
  }

  /** The journal of refreshes, newest first; throws `not_found`. */
  async refreshes(operator: Operator, integrationId: string, query: RefreshesQuery): Promise<Page<RefreshReply>> {
    await this.integrations.get(operator, integrationId);
    const [before] = keyInCursor(query.cursor, ['number']) ?? [null];
    const rows = await readRefreshes(this.db, {
      ...{ integrationId, before, limit: query.limit + 1 },
      ...{ outcome: query.outcome ?? null, linkId: query.link_id ?? null },
    });
    return pageOf(rows, query.limit, (row) => [row.refreshId], refreshReply);
  }
}

function exchangeReply({ exchangeId, at, operation, detail }: ExchangeRow): ExchangeReply {
  return { exchange_id: exchangeId, at: at.toISOString(), operation, ...detail };
}

function refreshReply(row: RefreshRow): RefreshReply {
  return {
    refresh_id: row.refreshId,
    link_id: row.linkId,
    token_version: row.tokenVersion,
    instance: row.instance,
    begun_at: row.begunAt.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
    outcome: row.outcome,
  };
}
