import { Server, createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import * as path from 'node:path';
import type { CheckReport } from '@podium/partner-check';
import { checkServer, redirectUri } from '../../../../libs/partner-check/test/check-server';
import { startServer } from '../../../../libs/partner-check/test/running-server';
import { runPodium } from '../podium';

const example = path.resolve(__dirname, '../../../../docs/examples/partner-server.mjs');
const integrationId = '0f6b2a50-3a5e-5c1f-9c60-5a1a6a3a7b10';
const checkId = '1f0c9d1e-7d5c-4f0e-9b5c-3c1d6f0a2b4e';

/** A report as linkage stores it. */
async function realReport(): Promise<CheckReport> {
  const client = { clientId: 'podium', clientSecret: 'secret' };
  const server = await startServer(process.execPath, [example], {
    ...{ CLIENT_ID: client.clientId, CLIENT_SECRET: client.clientSecret, REDIRECT_URL: redirectUri },
    ...{ PLATFORM: 'shop', SEND_EVENT_URL: 'http://127.0.0.1:9/', EVENT_API_KEY: 'unused' },
  });
  try {
    return await checkServer({ ...client, authorizationUrl: `${server.url}/authorize`, baseUrl: server.url });
  } finally {
    await server.stop();
  }
}

describe('integrations check', () => {
  let report: CheckReport;
  let gateway: Server;
  let reads = 0;
  const asked: string[] = [];

  beforeAll(async () => {
    report = await realReport();
    gateway = createServer((request, response) => {
      asked.push(`${request.method} ${request.url?.split('?')[0]}`);
      const waiting = { log_in_url: 'https://shop.example/authorize?x=1', log_in_number: 1, log_in_purpose: 'log in' };
      const check = { check_id: checkId, status: 'waiting_for_log_in', report: null, ...waiting };
      const finished = { ...check, status: 'finished', report, log_in_url: null, log_in_number: null };
      const isCheck = request.url?.includes('/checks/') && request.method === 'GET';
      const answer = isCheck
        ? reads++ === 0
          ? check
          : finished
        : request.url?.endsWith('/apply')
          ? { integration_id: integrationId, profile: { pkce: true } }
          : request.url?.endsWith('/checks')
            ? request.method === 'GET'
              ? { items: [{ check_id: checkId, status: 'finished', verdict: 'links' }] }
              : check
            : { items: [{ platform: 'shop', integration_id: integrationId }], next_cursor: null };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    gateway.closeAllConnections();
    await new Promise((resolve) => gateway.close(resolve));
  });

  const run = async (...args: string[]): Promise<{ code: number; out: string; err: string }> => {
    const seen = { out: '', err: '' };
    const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
    const code = await runPodium(['--url', url, '--token', 't', ...args], {
      env: {},
      readStdin: async () => '',
      ask: undefined,
      out: (text) => void (seen.out += text),
      err: (text) => void (seen.err += text),
    });
    return { code, ...seen };
  };

  it('prints each log-in once, then the report and the command that applies it', async () => {
    const { code, out, err } = await run('integrations', 'check', 'shop');
    expect([code, err]).toEqual([0, expect.stringContaining('https://shop.example/authorize?x=1')]);
    expect(err.match(/Log-in 1/g)).toHaveLength(1);
    expect(out).toContain('Linking works with the profile below.');
    expect(out).toContain(`npm run podium -- integrations apply-check shop ${checkId}`);
  });

  it('prints the report although its page cannot be written', async () => {
    const { code, out, err } = await run('integrations', 'check', 'shop', '--html', path.join(__filename, 'page.html'));
    expect([code, err]).toEqual([1, expect.stringContaining('page.html')]);
    expect(out).toContain(`npm run podium -- integrations apply-check shop ${checkId}`);
  });

  it('lists checks with their verdicts', async () => {
    const { code, out } = await run('integrations', 'checks', 'shop');
    expect(code).toBe(0);
    expect(out).toMatch(/CHECK_ID +STATUS +VERDICT/);
    expect(out).toMatch(new RegExp(`${checkId} +finished +links`));
  });

  it('applies a check', async () => {
    const { code, out } = await run('integrations', 'apply-check', 'shop', checkId);
    expect([code, out]).toEqual([0, expect.stringContaining('pkce')]);
    expect(asked.at(-1)).toBe(`POST /admin/v1/integrations/${integrationId}/checks/${checkId}/apply`);
  });
});
