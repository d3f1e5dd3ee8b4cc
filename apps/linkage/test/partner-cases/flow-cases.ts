import { freshName } from '@podium/testing';
import { connected, failedFlow } from './expected';
import { FlowCase, follow, returned } from './returned-flow';

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
