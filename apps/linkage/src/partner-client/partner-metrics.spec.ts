import { Registry } from '@podium/runtime/metrics';
import { pino } from 'pino';
import { LiteralPartner } from '../../test/literal-partner';
import { PartnerClient } from './partner-client';
import { PartnerHttp } from './partner-http';

const metric = 'linkage_partner_requests_total';

describe('the metrics of requests to partners', () => {
  const registry = new Registry();
  const partner = new LiteralPartner();
  let client: PartnerClient;

  beforeAll(async () => {
    await partner.start();
    client = new PartnerClient(new PartnerHttp(new Set([partner.host])), pino({ level: 'silent' }), registry);
  });
  afterAll(async () => {
    await client.stop();
    await partner.stop();
  });

  it('have every outcome at 0 before the first request has ended, so that alerts see the first failure after a scrape', async () => {
    let isAsked: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    let answer: () => void = () => undefined;
    partner.tokenAnswer = (response) => {
      answer = () => void response.writeHead(503).end();
      isAsked();
    };
    const exchange = client.exchangeCode(
      {
        ...{ platform: 'acme', baseUrl: partner.baseUrl, clientId: partner.clientId },
        ...{ clientSecret: partner.clientSecret, previousClientSecret: null },
        secretNames: { current: 'current', previous: 'previous' },
        profile: {
          ...{ scope: null, clientAuth: 'basic_raw', clientIdInBody: false, pkce: true, accessTokenLifetimeS: 3600 },
          ...{ revocationPath: null, redirectBase: null, issuer: null, timeoutMs: 5_000 },
        },
      },
      { code: 'c', redirectUri: 'https://podium.example/cb', codeVerifier: null },
    );
    await asked;
    const none = { ok: 0, rejected: 0, unavailable: 0, malformed: 0, address_refused: 0 };
    expect(await exchanges()).toEqual(none);
    answer();
    await exchange;
    expect(await exchanges()).toEqual({ ...none, unavailable: 1 });
  });

  /** The counts of exchanges by outcome. */
  async function exchanges(): Promise<Record<string, number>> {
    const { values } = await registry.getSingleMetric(metric)!.get();
    const own = values.filter(({ labels }) => labels.platform === 'acme' && labels.operation === 'exchange');
    return Object.fromEntries(own.map(({ labels, value }) => [String(labels.outcome), value]));
  }
});
