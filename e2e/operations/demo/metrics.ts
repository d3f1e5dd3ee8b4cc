import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { redriveTopicName, topics } from '@podium/messages';
import { Client } from 'pg';
import { queriesInUse } from '../../../k8s/tooling/checks/queries-in-use';
import { until } from '../../../tools/seed/api';
import { DataApi } from '../../competition/data-api';
import { DemoStack, StackDescription } from '../../support/demo-stack';
import { EventFields, PartnerApi, nowS } from '../../support/partner-api';
import { missingSeries } from '../missing-series';
import { Sample, scrape } from '../scrape';

/** The time until all metrics are reported: consumers report every 5 s, engagement's gauges every 15 s. */
const reportedWithinMs = 90_000;

/** What rules and dashboards use is exported. */
export function describeMetrics(demoOf: () => DemoStack): void {
  describe('the metrics of the services', () => {
    let stack: StackDescription;

    beforeAll(async () => {
      stack = demoOf().description;
      await sendEvents(stack);
      await refreshTokens(stack);
      await endGrant(stack);
      await read(stack);
    });

    it('include every metric and label that rules and dashboards use', async () => {
      const queries = queriesInUse();
      const untilMs = Date.now() + reportedWithinMs;
      let missing = missingSeries(queries, await scrape(stack.services));
      while (missing.length > 0 && Date.now() < untilMs) {
        await sleep(1_000);
        missing = missingSeries(queries, await scrape(stack.services));
      }
      expect(missing).toEqual([]);
      expect(queries.length).toBeGreaterThan(150);
    });

    it('are checked for missing metrics, labels and values', async () => {
      const samples = await scrape(stack.services);
      const problems = (expr: string): number => missingSeries([{ place: 'spec', expr }], samples).length;
      expect(problems('rate(gateway_requests_total{route="send-event"}[5m])')).toBe(0);
      expect(problems('rate(gateway_request_total[5m])')).toBe(1);
      expect(problems('sum by (platform) (gateway_requests_total)')).toBe(1);
      expect(problems('gateway_requests_total{route="send-events"}')).toBe(1);
    });

    it('export failure counters as 0 before the first failure, so that a rate sees it', async () => {
      const samples = await scrape(stack.services);
      const has = (name: string, labels: Record<string, string>): boolean =>
        samples.some((sample) => sample.name === name && matches(sample, labels));
      const expected: [string, Record<string, string>][] = [
        ['gateway_event_answers_total', { status_class: '5xx' }],
        ['gateway_requests_total', { route: 'send-event', status: '503' }],
        ['gateway_requests_total', { route: 'send-event-batch', status: '503' }],
        ['gateway_requests_total', { route: 'reconcile-events', status: '503' }],
        ['gateway_requests_total', { route: 'event-status', status: '503' }],
        ['gateway_requests_total', { route: 'data', status: '503' }],
        ['gateway_requests_total', { route: 'oauth-callback', status: '503' }],
        ['ingestion_drift_total', { finding: 'attribute_dropped' }],
        ['gateway_reads_under_way', { kind: 'partner-reads' }],
        ['engagement_reconcile_requests_total', { outcome: 'gap' }],
        ['kafka_producer_records_total', { topic: 'ingestion.user-events.v1', outcome: 'unknown' }],
        ['kafka_consumer_dead_letters_total', { group: 'engagement.user-events', topic: topics.userEvents.name }],
        ['kafka_consumer_dead_letters_total', { topic: redriveTopicName('engagement.user-events', topics.userEvents) }],
        ['kafka_consumer_dead_letters_total', { group: 'competition-read.projection' }],
        ['linkage_link_flows_finished_total', { platform: stack.platform, outcome: 'pending' }],
        ['linkage_partner_checks_total', { outcome: 'interrupted' }],
        ['linkage_partner_requests_total', { platform: stack.platform, operation: 'refresh', outcome: 'unavailable' }],
        ['linkage_token_refreshes_total', { platform: stack.platform, outcome: 'lost' }],
        ['linkage_links_needing_login_total', { platform: stack.platform, reason: 'partner_moved' }],
        ['engagement_award_answers_total', { outcome: 'contradicting' }],
        ['postgres_pool_connect_failures_total', { service: 'ingestion' }],
      ];
      expect(expected.filter(([name, labels]) => !has(name, labels))).toEqual([]);
    });
  });
}

function matches({ labels }: Sample, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([name, value]) => labels[name] === value);
}

/** Sends events that are accepted with an award and a membership, repeated, and refused. */
async function sendEvents(stack: StackDescription): Promise<void> {
  const partner = new PartnerApi(stack.gateway_url, stack.event_api_key, stack.platform);
  const attributes = [
    { name: 'amount', value: '600.00' },
    { name: 'currency', value: 'EUR' },
    { name: 'unheard_of', value: 'x' },
  ];
  const event: EventFields = { id: randomUUID(), name: stack.demo_task.send.name, created_at: nowS(), attributes };
  const user = stack.linked_user.platform_user_id;
  const answers = [
    await partner.send(user, event),
    await partner.send(user, event),
    await partner.send('nobody', { ...event, id: randomUUID() }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404]);
}

/** Expires the link's tokens, and requests a refresh as its user. */
async function refreshTokens(stack: StackDescription): Promise<void> {
  await change(stack, 'UPDATE linkage.link_tokens SET expires_at = now()');
  await checkLink(stack);
}

/**
 * Lets the link need a log-in, because its partner has moved, and its tokens be revoked, which are not while an account is linked;
 * then it is ready again.
 */
async function endGrant(stack: StackDescription): Promise<void> {
  await change(stack, 'UPDATE linkage.link_tokens SET origin_version = origin_version + 1');
  await checkLink(stack);
  await change(
    stack,
    'UPDATE linkage.link_tokens SET origin_version = origin_version - 1',
    `INSERT INTO linkage.token_revocations (link_id, integration_id, origin_version, access_token_enc, refresh_token_enc)
     SELECT link_id, integration_id, origin_version, access_token_enc, refresh_token_enc
     FROM linkage.link_tokens JOIN linkage.links USING (link_id)`,
    `UPDATE linkage.links SET state = 'unlinked' WHERE state = 'needs_reauth'`,
  );
  await until('a revocation', 60_000, async () =>
    (await scrape(stack.services)).some(({ name }) => name === 'linkage_token_revocations_total') ? true : undefined,
  );
  await change(stack, `UPDATE linkage.links SET state = 'ready' WHERE state = 'unlinked'`);
}

/** Requests a check of the link as its user. */
async function checkLink(stack: StackDescription): Promise<void> {
  await change(stack, "UPDATE linkage.links SET user_info_at = now() - interval '1 hour'");
  const answer = await fetch(`${stack.gateway_url}/v1/me/links/${stack.integration_id}?refresh=true`, {
    headers: { authorization: `Bearer ${stack.user_token}` },
  });
  expect(answer.status).toBe(200);
}

async function change(stack: StackDescription, ...statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: stack.database_url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

async function read(stack: StackDescription): Promise<void> {
  const api = new DataApi(`${stack.gateway_url}/data/v4`, stack.data_api_key);
  for (const path of ['/games', '/games']) expect((await api.get(path)).status).toBe(200);
}
