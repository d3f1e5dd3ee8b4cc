import { CheckReport } from '../report/check-report';
import { CheckPorts } from '../exchanges/transport';
import { CheckRun } from './check-run';
import { CheckTarget, Variation } from './check-target';
import { probeAuthorization } from './probe-authorization';
import { probeSecrets } from './probe-secrets';
import { ClientForm } from './probe-token-endpoint';
import { probeUserInfo } from './probe-user-info';
import { readMetadata } from './read-metadata';
import { tryCodes } from './try-codes';
import { tryRefreshes } from './try-refreshes';
import { WorkingLogIn, findWorkingLogIn } from './working-log-in';

/**
 * Checks a partner's server against the specification: first requests that need no log-in, then at most four log-ins in a
 * browser. Derives the profile with which linking works. Never throws for what the server does.
 */
export async function runCheck(target: CheckTarget, ports: CheckPorts): Promise<CheckReport> {
  const run = new CheckRun(target, ports);
  checkSchemes(run);
  await readMetadata(run);
  const start = await probeAuthorization(run, {
    clientAuth: 'basic_raw',
    clientIdInBody: false,
    pkce: true,
    scope: target.scope,
    promptConsent: false,
  });
  const client = await probeSecrets(run, start);
  const hasUserInfo = await probeUserInfo(run);
  // Log-ins ask a person for time: none when it is certain that they come to nothing.
  if (run.has('authorization_page_unreachable') || client.forms.length === 0 || !hasUserInfo) return run.report();
  const working = await findWorkingLogIn(run, start, client.forms);
  if (working) await tryGrant(run, working);
  return run.report();
}

async function tryGrant(run: CheckRun, working: WorkingLogIn): Promise<void> {
  const form = formOf(run);
  await tryRefreshes(run, working, form);
  await tryCodes(run, working, form);
  observePkce(run, working.variation);
  if (working.variation.promptConsent && !run.profile.prompt_consent.observed)
    run.profile.prompt_consent = {
      observed: true,
      value: true,
      how: 'linking works with it; no log-in showed whether it works without',
    };
}

/** The form that the working log-in was accepted with. */
function formOf({ profile }: CheckRun): ClientForm {
  const { client_auth: auth, client_id_in_body: inBody } = profile;
  return { clientAuth: auth.observed ? auth.value : 'basic_raw', clientIdInBody: inBody.observed && inBody.value };
}

function observePkce(run: CheckRun, { pkce }: Variation): void {
  const { outcome, why } = run.outcomeOf('code_verifier');
  run.profile.pkce_verified = !pkce
    ? { observed: false, why: 'PKCE is off for this server' }
    : outcome === 'not_observed'
      ? { observed: false, why }
      : { observed: true, value: outcome === 'passed', how: 'a code with a wrong code_verifier' };
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

function checkSchemes(run: CheckRun): void {
  const { authorizationUrl, baseUrl } = run.target;
  const addresses = [new URL(authorizationUrl), new URL(baseUrl)];
  if (addresses.some(({ protocol, hostname }) => protocol !== 'https:' && !loopback.test(hostname)))
    run.find('plain_http', []);
}
