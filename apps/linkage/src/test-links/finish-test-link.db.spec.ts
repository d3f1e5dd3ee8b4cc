import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool, queryable } from '@podium/runtime/postgres';
import { freshName } from '@podium/testing';
import { Registry } from 'prom-client';
import { LinkParts } from '../../test/link-parts';
import { storeWithinMs } from '../links/finish-link';
import { PartnerIntegrationStore } from '../links/partner-integration.store';
import { Deadline } from '../partner-client/deadline';
import { PartnerClient } from '../partner-client/partner-client';
import { PartnerHttp } from '../partner-client/partner-http';
import { FinishTestLink } from './finish-test-link';
import { TestLinkResult } from './test-link-result';
import { insertTestLink, readTestLink } from './test-link.store';

describe('a test link at a partner that answers slowly', () => {
  let parts: LinkParts;
  let partnerClient: PartnerClient;
  let finishTestLink: FinishTestLink;

  beforeAll(async () => {
    parts = await LinkParts.start();
    const { logger, partner } = parts;
    partnerClient = new PartnerClient(new PartnerHttp(new Set([partner.host])), logger, new Registry());
  });

  beforeEach(() => {
    const { pool, vault } = parts;
    finishTestLink = new FinishTestLink({ pool, vault, partnerClient });
  });

  afterEach(() => void Object.assign(parts.partner, { delayMs: 0, steps: {} }));

  afterAll(async () => {
    await partnerClient.stop();
    await parts.stop();
  });

  /** The result of a test of which both requests of linking have `linkingMs`. */
  async function resultWithin(linkingMs: number): Promise<TestLinkResult | null> {
    const { pool, vault, partner } = parts;
    const { baseUrl, clientId, clientSecret } = partner;
    const profile = { timeout_ms: 10_000, pkce: false };
    const { integrationId } = await parts.integration({ baseUrl, clientId, clientSecret, profile });
    const db = queryable(pool);
    const testLinkId = randomUUID();
    const [stateHash, sessionHash, browserHash, entryHash] = [1, 2, 3, 4].map(() => randomBytes(32));
    await insertTestLink(db, { testLinkId, integrationId, entryHash, requestedBy: 'operator', lifetimeS: 900 });
    const integration = await new PartnerIntegrationStore(db, vault).get(integrationId);
    const flow = {
      ...{ stateHash, sessionHash, browserHash, integrationId, testLinkId, userId: `test:${testLinkId}` },
      ...{ codeVerifierEnc: null, returnTo: null, redirectUri: 'https://podium.example', originVersion: 1 },
      ...{ createdAt: new Date(), expired: false, callbackId: randomUUID() },
    };
    const query = { kind: 'code', code: partner.issueCode({ sub: freshName('sub') }), state: 's', iss: null } as const;
    await finishTestLink.finish(integration!, flow, query, Deadline.within(storeWithinMs + linkingMs));
    return (await readTestLink(db, { integrationId, testLinkId }))?.result ?? null;
  }

  it('fails where a user would not be linked in time', async () => {
    parts.partner.delayMs = 600;
    expect(await resultWithin(300)).toMatchObject({ failed_at: 'exchanged', reason: 'partner_unavailable' });
  });

  it('does not fail for a refresh that ends after the page was sent', async () => {
    parts.partner.steps = { received: async () => void (await sleep(storeWithinMs + 1_000)) };
    const passed = ['returned', 'exchanged', 'identified', 'refreshed'];
    expect(await resultWithin(800)).toMatchObject({ passed, failed_at: null });
  }, 20_000);

  it('keeps its result while Postgres is away', async () => {
    const { pool, vault } = parts;
    let isAway = true;
    const refused = () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    const query = (text: string, values?: unknown[]) => (isAway ? refused() : pool.query(text, values));
    const overOutage = Object.create(pool, { query: { value: query } }) as Pool;
    finishTestLink = new FinishTestLink({ pool: overOutage, vault, partnerClient });
    setTimeout(() => (isAway = false), 1_200);
    expect(await resultWithin(800)).toMatchObject({ failed_at: null });
  });

  it('has not failed at the partner when the process stops first', async () => {
    parts.partner.steps = { received: () => finishTestLink.stop().then(() => 'drop') };
    expect(await resultWithin(800)).toMatchObject({ failed_at: 'refreshed', reason: 'unfinished', partner_code: null });
  });
});
