import { spawnSync } from 'node:child_process';
import * as path from 'node:path';
import type { CheckReport } from '@podium/partner-check';
import { RunningServer, startServer } from '../../../../libs/partner-check/test/running-server';
import { ScriptedBrowser } from '../../../../libs/partner-check/test/scripted-browser';
import { AdminClient, adminClient } from '../../test/admin-client';
import { LinkBrowser } from '../../test/link-browser';
import { LinkViews } from '../../test/link-views';
import { RunningLinkage, startLinkage } from '../../test/running-linkage';
import { integrationIdOf } from '../integrations/integration-id';
import { redirectUrlOf } from '../integrations/redirect-url';

const servers = path.resolve(__dirname, '../../../../libs/partner-check/test/servers');
/** Characters that the two forms of Basic credentials write differently. */
const clientSecret = 'canary%secret+of/client=';
const python = process.env.PODIUM_AUTHLIB_PYTHON ?? 'python3';
const hasAuthlib = spawnSync(python, ['-c', 'import authlib, flask'], { stdio: 'ignore' }).status === 0;

const partners = [
  { platform: 'oidc-provider', command: process.execPath, file: 'oidc-provider.mjs' },
  { platform: 'node-oauth2-server', command: process.execPath, file: 'node-oauth2-server.mjs' },
  { platform: 'jmondi-oauth2-server', command: process.execPath, file: 'jmondi-oauth2-server.mjs' },
  // Only where somebody has installed it: it is no package of npm.
  ...(hasAuthlib ? [{ platform: 'authlib', command: python, file: 'authlib_server.py' }] : []),
];

describe('OAuth servers of other projects, whose check is followed', () => {
  const views = new LinkViews();
  const running: RunningServer[] = [];
  let linkage: RunningLinkage;
  let admin: AdminClient;

  beforeAll(async () => {
    for (const { platform, command, file } of partners)
      running.push(
        await startServer(command, [path.join(servers, file)], {
          ...{ CLIENT_ID: 'podium', CLIENT_SECRET: clientSecret, REDIRECT_URL: redirectUri(platform) },
        }),
      );
    const hosts = running.map(({ url }) => new URL(url).host);
    linkage = await startLinkage({ PARTNER_ADDRESS_ALLOW_LIST: hosts.join() });
    admin = await adminClient(linkage, { '*': 'admin' });
    views.start();
    views.follow();
  }, 60_000);

  afterAll(async () => {
    await views.stop();
    await linkage?.stop();
    await Promise.all(running.map((server) => server.stop()));
  });

  const title = 'link by the profile that the check of $platform derives, and not without it where it differs';
  if (!hasAuthlib) it.skip(title.replace('$platform', 'authlib'), () => undefined);

  it.each(partners.map(({ platform }, at) => ({ platform, at })))(
    title,
    async ({ platform, at }) => {
      const baseUrl = running[at].url;
      const created = await admin.post('/integrations', {
        ...{ platform, partner: platform, organizer_id: 'organizer-1', display_name: platform },
        ...{ authorization_url: `${baseUrl}/authorize`, base_url: baseUrl },
        ...{ client_id: 'podium', client_secret: clientSecret },
      });
      expect(created).toMatchObject({ status: 201, json: { integration_id: integrationIdOf(platform) } });
      const specified = { client_auth: 'basic_raw', client_id_in_body: false, pkce: true, scope: null };
      const check = await checked(platform);
      const report = check.report as CheckReport;
      expect(report.verdict).toBe('links');
      const applied = await admin.post(
        `/integrations/${integrationIdOf(platform)}/checks/${String(check.check_id)}/apply`,
      );
      expect(applied.status).toBe(200);
      const link = await linkOf(platform);
      expect(link).toMatchObject({ status: 200, text: expect.stringContaining('You are connected') });
      const { items } = (await admin.get(`/links?platform=${platform}`)).json as { items: Record<string, unknown>[] };
      expect(items.map(({ state, refreshable }) => [state, refreshable])).toEqual([['ready', true]]);
      // As specified, before the check, a server that differs did not link.
      const differs = Object.entries(specified).some(
        ([name, value]) => (applied.json.profile as Record<string, unknown>)[name] !== value,
      );
      await admin.patch(`/integrations/${integrationIdOf(platform)}`, {
        profile: specified,
        authorization_url: `${baseUrl}/authorize`,
      });
      const again = await linkOf(platform);
      expect([again.status === 200, differs]).toEqual([!differs, differs]);
    },
    60_000,
  );

  /** Runs a check with the log-ins that it asks for. */
  async function checked(platform: string): Promise<Record<string, unknown>> {
    const checks = `/integrations/${integrationIdOf(platform)}/checks`;
    const browser = new ScriptedBrowser(redirectUri(platform));
    const operator = await LinkBrowser.of(linkage);
    let check = (await admin.post(checks)).json;
    for (let done = 0; check.status !== 'finished';) {
      expect(['running', 'waiting_for_log_in']).toContain(check.status);
      if (Number(check.log_in_number) > done) {
        done = Number(check.log_in_number);
        const opened = await operator.openCheck(String(check.log_in_url));
        const search = (await browser.returnFrom(opened.href)) ?? '';
        const page = await operator.get(`${new URL(redirectUri(platform)).pathname}${search}`);
        expect(page.text).toContain('The log-in has arrived');
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
      check = (await admin.get(`${checks}/${String(check.check_id)}`)).json;
    }
    return check;
  }

  /** Links a user as `/connect` does; a log-in that does not return has status 0. */
  async function linkOf(platform: string): Promise<{ status: number; text: string }> {
    const browser = await LinkBrowser.of(linkage, `user-of-${platform}`);
    const start = await browser.begin(integrationIdOf(platform));
    const search = await new ScriptedBrowser(redirectUri(platform)).returnFrom(start.href);
    if (search === null) return { status: 0, text: '' };
    return browser.get(`${new URL(redirectUri(platform)).pathname}${search}`);
  }
});

function redirectUri(platform: string): string {
  return redirectUrlOf(integrationIdOf(platform), 'https://test.podium.example');
}
