import { spawnSync } from 'node:child_process';
import * as path from 'node:path';
import { checkServer, codesOf, redirectUri } from '../../test/check-server';
import { startServer } from '../../test/running-server';
import { CheckReport } from '../report/check-report';

const servers = path.join(__dirname, '../../test/servers');
/** Characters that the two forms of Basic credentials write differently. */
const client = { clientId: 'podium', clientSecret: 'a%b+c/d=e' };
/** An interpreter that has the packages authlib and flask. */
const python = process.env.PODIUM_AUTHLIB_PYTHON ?? 'python3';
const hasAuthlib = spawnSync(python, ['-c', 'import authlib, flask'], { stdio: 'ignore' }).status === 0;

async function checkFile(command: string, file: string, prefix = ''): Promise<CheckReport> {
  const server = await startServer(command, [path.join(servers, file)], {
    ...{ CLIENT_ID: client.clientId, CLIENT_SECRET: client.clientSecret, REDIRECT_URL: redirectUri },
    PATH_PREFIX: prefix,
  });
  const baseUrl = `${server.url}${prefix}`;
  try {
    return await checkServer({ ...client, authorizationUrl: `${baseUrl}/authorize`, baseUrl });
  } finally {
    await server.stop();
  }
}

const observed = (value: unknown) => expect.objectContaining({ observed: true, value });

describe('OAuth servers of other projects', () => {
  it('finds scope, prompt and form-encoded credentials of oidc-provider below a path', async () => {
    const report = await checkFile(process.execPath, 'oidc-provider.mjs', '/tenants/shop');
    expect(report).toMatchObject({
      verdict: 'links',
      profile: {
        client_auth: observed('basic_form_encoded'),
        client_id_in_body: observed(false),
        pkce: observed(true),
        pkce_verified: observed(true),
        scope: observed('openid offline_access'),
        prompt_consent: observed(true),
        rotation: observed(true),
        reuse: observed('ends_the_grant'),
        error_style: observed('standard_codes'),
      },
    });
    expect(codesOf(report)).toEqual(
      expect.arrayContaining(['scope_needed', 'prompt_consent_needed', 'basic_form_encoded']),
    );
    expect(report.findings.filter(({ severity }) => severity !== 'advice')).toEqual([]);
    expect(report.log_ins).toBeLessThanOrEqual(4);
  });

  it('finds the raw credentials of @node-oauth/oauth2-server', async () => {
    const report = await checkFile(process.execPath, 'node-oauth2-server.mjs');
    expect(report).toMatchObject({
      verdict: 'links',
      profile: {
        client_auth: observed('basic_raw'),
        scope: observed(null),
        pkce: observed(true),
        rotation: observed(true),
        reuse: observed('refused'),
      },
    });
  });

  it('finds the raw credentials of @jmondi/oauth2-server, and that it names no invalid grant', async () => {
    const report = await checkFile(process.execPath, 'jmondi-oauth2-server.mjs');
    expect(report).toMatchObject({
      verdict: 'links',
      profile: {
        client_auth: observed('basic_raw'),
        scope: observed(null),
        pkce: observed(true),
        pkce_verified: observed(true),
        rotation: observed(true),
        reuse: observed('refused'),
      },
    });
    expect(codesOf(report)).toEqual(['refresh_error_unnamed', 'code_error_unnamed']);
  });

  // Only where somebody has installed it: it is no package of npm.
  (hasAuthlib ? it : it.skip)('finds the raw credentials of Authlib', async () => {
    const report = await checkFile(python, 'authlib_server.py');
    expect(report).toMatchObject({ verdict: 'links', profile: { scope: observed(null), rotation: observed(true) } });
  });
});
