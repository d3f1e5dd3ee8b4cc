import { freshName } from '@podium/testing';
import { CoveringTest } from '@podium/testing/covering-test';
import { CaseIntegration, CaseWorld, SeenOutcome } from './case-world';
import { Expected, connected, failedFlow, kept, needsLogin } from './expected';
import { linkedUser, look } from './scenarios';
import { LinkBrowser } from '../link-browser';

/** A case that somebody other than the partner makes; it runs here, or says why it does not and which test covers it. */
export type FlowCase =
  | { readonly expected: Expected; readonly run: (world: CaseWorld) => Promise<SeenOutcome> }
  | { readonly notHere: string; readonly coveredBy: CoveringTest };

/** A flow that is back from the partner, and not yet at the callback. */
interface Returned {
  readonly integration: CaseIntegration;
  readonly browser: LinkBrowser;
  readonly back: string;
}

async function returned(world: CaseWorld, integration?: CaseIntegration, sub = freshName('sub')): Promise<Returned> {
  const at = integration ?? (await world.integration());
  const browser = await world.browser();
  return { integration: at, browser, back: await browser.atPartner(await browser.begin(at.integrationId), sub) };
}

/** Follows the redirect in a browser, and says what is known of its user then. */
async function follow(
  world: CaseWorld,
  { integration, browser, back }: Returned,
  headers: Record<string, string> = {},
): Promise<SeenOutcome> {
  return world.afterFlow(integration, browser, (await browser.get(back, headers)).text);
}

/** What the user, other users and other browsers do with a redirect. */
export const callbackCases: Readonly<Record<string, FlowCase>> = {
  'the state has expired': {
    expected: failedFlow('expired'),
    run: async (world) => {
      const flow = await returned(world);
      const past = `UPDATE linkage.oauth_flows SET expires_at = now() - interval '1 s' WHERE user_id = $1`;
      await world.database.query(past, [flow.browser.userId]);
      return follow(world, flow);
    },
  },
  'the state is replayed after a link': {
    expected: { ...failedFlow('not_recognised'), link: 'ready' },
    run: async (world) => {
      const flow = await returned(world);
      await follow(world, flow);
      return follow(world, flow);
    },
  },
  "another user's state": {
    expected: failedFlow('session_changed'),
    run: async (world) => {
      const flow = await returned(world);
      await flow.browser.logIn(freshName('user'));
      return follow(world, flow);
    },
  },
  'the user has logged out': {
    expected: { ...failedFlow('session_changed'), link: 'none' },
    run: async (world) => {
      const flow = await returned(world);
      flow.browser.logOut();
      return follow(world, flow);
    },
  },
  "another partner's state": {
    expected: failedFlow('not_recognised'),
    run: async (world) => {
      const flow = await returned(world);
      const other = await world.integration();
      const back = flow.back.replace(flow.integration.integrationId, other.integrationId);
      return follow(world, { ...flow, integration: other, back });
    },
  },
  'another browser': {
    expected: failedFlow('not_recognised'),
    run: async (world) => {
      const flow = await returned(world);
      return follow(world, { ...flow, browser: await world.browser(flow.browser.userId) });
    },
  },
  'two tabs of one browser': {
    expected: connected,
    run: async (world) => {
      const first = await returned(world);
      const { browser, integration } = first;
      const sub = freshName('sub');
      const [one, two] = [
        await browser.begin(integration.integrationId),
        await browser.begin(integration.integrationId),
      ];
      await browser.get(await browser.atPartner(one, sub));
      return follow(world, { ...first, back: await browser.atPartner(two, sub) });
    },
  },
  'the code is replayed under a new state': {
    expected: {
      ...failedFlow('partner_refused', 'invalid_grant', [
        'exchange rejected: the partner refused, status 400, invalid_grant',
      ]),
      link: 'ready',
    },
    run: async (world) => {
      const used = await returned(world);
      await follow(world, used);
      const { browser, integration } = used;
      const fresh = await browser.begin(integration.integrationId);
      const back = new URL(used.back, 'http://x');
      back.searchParams.set('state', fresh.searchParams.get('state') ?? '');
      return follow(world, { ...used, back: back.pathname + back.search });
    },
  },
  'a HEAD of the callback changes nothing': {
    expected: connected,
    run: async (world) => {
      const flow = await returned(world);
      await flow.browser.send('HEAD', flow.back);
      return follow(world, flow);
    },
  },
  'a prefetch of the callback changes nothing': {
    expected: connected,
    run: async (world) => {
      const flow = await returned(world);
      await flow.browser.get(flow.back, { 'sec-purpose': 'prefetch;prerender' });
      return follow(world, flow);
    },
  },
  'the popup is blocked': {
    notHere: 'needs a browser',
    coveredBy: {
      spec: 'apps/linkage/src/connect/connect-pages.db.spec.ts',
      test: 'continues in the same tab when popups are blocked',
    },
  },
};

/** Attacks on users and on this network, as far as they need no browser. */
export const attackCases: Readonly<Record<string, FlowCase>> = {
  'log-in CSRF: the victim opens the redirect of an attacker': {
    expected: failedFlow('not_recognised'),
    run: async (world) => follow(world, { ...(await returned(world)), browser: await world.browser() }),
  },
  'mix-up: the code of an honest partner comes back to a hostile one': {
    expected: failedFlow('not_recognised'),
    run: async (world) => {
      const honest = await returned(world);
      const hostile = await world.integration();
      const { browser } = honest;
      await browser.begin(hostile.integrationId);
      const back = honest.back.replace(honest.integration.integrationId, hostile.integrationId);
      const seen = await follow(world, { integration: hostile, browser, back });
      if (world.partners.seen.some(({ partner }) => partner === hostile.platform)) throw new Error('the code got out');
      return seen;
    },
  },
  'mix-up: the hostile partner takes the state of its own flow': {
    expected: failedFlow('issuer_mismatch'),
    run: async (world) => {
      const hostile = await returned(world);
      const honest = world.partners.baseUrl((await world.integration()).platform);
      return follow(world, { ...hostile, back: `${hostile.back}&iss=${encodeURIComponent(honest)}` });
    },
  },
  'mix-up: the refusal of an honest partner comes back to a hostile one': {
    expected: failedFlow('issuer_mismatch'),
    run: async (world) => {
      const hostile = await returned(world);
      const honest = world.partners.baseUrl((await world.integration()).platform);
      const back = new URL(hostile.back, 'http://x');
      back.searchParams.delete('code');
      back.searchParams.set('error', 'access_denied');
      back.searchParams.set('iss', honest);
      return follow(world, { ...hostile, back: back.pathname + back.search });
    },
  },
  'session fixation: the victim logs in at an address that an attacker shared': {
    expected: failedFlow('not_recognised'),
    run: async (world) => {
      const attacker = await world.browser();
      const victim = await world.browser();
      const integration = await world.integration();
      const shared = await attacker.begin(integration.integrationId);
      return follow(world, { integration, browser: victim, back: await victim.atPartner(shared, freshName('sub')) });
    },
  },
  'code injection: an attacker brings a stolen code under a state of their own': {
    expected: failedFlow('partner_refused', 'invalid_grant', [
      'exchange rejected: the partner refused, status 400, invalid_grant',
    ]),
    run: async (world) => {
      const victim = await returned(world);
      const attacker = await returned(world, victim.integration);
      const stolen = new URL(victim.back, 'http://x').searchParams.get('code') ?? '';
      const back = new URL(attacker.back, 'http://x');
      back.searchParams.set('code', stolen);
      return follow(world, { ...attacker, back: back.pathname + back.search });
    },
  },
  'tabnabbing by the page of a partner': {
    notHere: 'needs a browser',
    coveredBy: {
      spec: 'apps/linkage/src/connect/attacks.db.spec.ts',
      test: 'tabnabbing: the page of a partner in the popup cannot reach the page that opened it',
    },
  },
};

/** What changes while a user links, and after. */
export const lifecycleCases: Readonly<Record<string, FlowCase>> = {
  'the same user links the same account twice': {
    expected: connected,
    run: async (world) => {
      const { integration, browser, sub } = await linkedUser(world);
      return world.afterFlow(integration, browser, (await browser.link(integration.integrationId, sub)).text);
    },
  },
  'the user links another account': {
    expected: { ...failedFlow('other_account_linked'), link: 'ready' },
    run: async (world) => {
      const { integration, browser } = await linkedUser(world);
      return world.afterFlow(
        integration,
        browser,
        (await browser.link(integration.integrationId, freshName('s'))).text,
      );
    },
  },
  'the account is linked to another user': {
    expected: failedFlow('linked_elsewhere'),
    run: async (world) => {
      const { integration, sub } = await linkedUser(world);
      return follow(world, await returned(world, integration, sub));
    },
  },
  'an unlink during a callback': {
    expected: connected,
    run: async (world) => {
      const { integration, browser, sub } = await linkedUser(world);
      const back = await browser.atPartner(await browser.begin(integration.integrationId), sub);
      await browser.change('DELETE', `/v1/me/links/${integration.integrationId}`);
      return follow(world, { integration, browser, back });
    },
  },
  'an unlink during a refresh': {
    expected: { user: 'Not connected', code: null, link: 'unlinked', operators: [] },
    run: async (world) => {
      const user = await linkedUser(world);
      const { integration, browser } = user;
      world.partners.delaysMs.set(integration.platform, 300);
      const looking = look(world, user, { isDue: true });
      await new Promise((resolve) => setTimeout(resolve, 150));
      await browser.change('DELETE', `/v1/me/links/${integration.integrationId}`);
      await looking;
      await unlinked(browser, integration);
      return world.afterCheck(integration, browser);
    },
  },
  'the integration is paused during the log-in': {
    expected: failedFlow('integration_paused'),
    run: async (world) => {
      const flow = await returned(world);
      await world.admin.post(`/integrations/${flow.integration.integrationId}/pause`);
      return follow(world, flow);
    },
  },
  'the client secret is rotated here first': {
    expected: connected,
    run: async (world) => {
      const flow = await returned(world);
      await world.admin.patch(`/integrations/${flow.integration.integrationId}`, {
        client_secret: freshName('secret'),
      });
      const seen = await follow(world, flow);
      // The refusal of the secret that is not live at the partner yet is no fault.
      return { ...seen, operators: seen.operators.filter((line) => !line.includes('invalid_client')) };
    },
  },
  'the client secret is rotated at the partner first': {
    expected: failedFlow('partner_refused', 'invalid_client', [
      'exchange rejected: the partner refused, status 401, invalid_client',
    ]),
    run: async (world) => {
      const flow = await returned(world);
      world.partners.of(flow.integration.platform).client.client_secret = freshName('secret');
      return follow(world, flow);
    },
  },
  'the partner refuses the redirect URL at the token endpoint': {
    expected: failedFlow('partner_refused', 'other', ['exchange rejected: the partner refused, status 400, other']),
    run: async (world) => {
      const flow = await returned(world);
      for (const grant of Object.values(world.partners.of(flow.integration.platform).grants))
        grant.redirect_uri = 'https://former.podium.example/callback';
      return follow(world, flow);
    },
  },
  "the partner's address changes during the log-in": {
    expected: failedFlow('partner_moved'),
    run: async (world) => {
      const flow = await returned(world);
      const moved = { base_url: 'https://moved.partner.example', client_secret: freshName('secret') };
      await world.admin.patch(`/integrations/${flow.integration.integrationId}`, moved);
      return follow(world, flow);
    },
  },
  'the user ends the grant at the partner': {
    expected: needsLogin(
      'grant_ended',
      'user_info rejected: the partner refused, status 401, invalid_token',
      'refresh rejected: the partner refused, status 400, invalid_grant',
    ),
    run: async (world) => {
      const user = await linkedUser(world);
      world.partners.of(user.integration.platform).tokens = [];
      await look(world, user, { isDue: false });
      return world.afterCheck(user.integration, user.browser);
    },
  },
  'the access token ends early': {
    expected: { ...kept, operators: ['user_info rejected: the partner refused, status 401, invalid_token'] },
    run: async (world) => {
      const user = await linkedUser(world);
      for (const pair of world.partners.of(user.integration.platform).tokens) pair.access_expires_at = 0;
      await look(world, user, { isDue: false });
      return world.afterCheck(user.integration, user.browser);
    },
  },
  'two instances refresh at once': {
    notHere: 'needs several instances',
    coveredBy: {
      spec: 'apps/linkage/src/links/refresh-rotation.db.spec.ts',
      test: 'ends no grant by two refreshes at once, in 100 runs',
    },
  },
  'an event before the link is visible': {
    notHere: 'needs ingestion, which answers 404 user_not_linked',
    coveredBy: {
      spec: 'apps/ingestion/src/admission/admit-batch.spec.ts',
      test: 'returns a separate outcome per event of a batch, with one lookup',
    },
  },
};

/** Waits until every service has confirmed the unlinking. */
async function unlinked(browser: LinkBrowser, { integrationId }: CaseIntegration): Promise<void> {
  for (const endMs = Date.now() + 15_000; Date.now() < endMs; await new Promise((resolve) => setTimeout(resolve, 50)))
    if ((await browser.get(`/v1/me/links/${integrationId}`)).json().link === null) return;
  throw new Error('the unlinking was not confirmed in time');
}
