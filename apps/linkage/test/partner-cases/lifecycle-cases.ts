import { freshName } from '@podium/testing';
import { CaseIntegration } from './case-world';
import { connected, failedFlow, kept, needsLogin } from './expected';
import { FlowCase, follow, returned } from './returned-flow';
import { linkedUser, look } from './scenarios';
import { LinkBrowser } from '../link-browser';

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
  'the access token ends early, and a refresh repeats it': {
    expected: { ...kept, operators: ['user_info rejected: the partner refused, status 401, invalid_token'] },
    run: async (world) => {
      const user = await linkedUser(world);
      for (const pair of world.partners.of(user.integration.platform).tokens) pair.access_expires_at = 0;
      await world.setMode(user.integration, 'same-access-token');
      await look(world, user, { isDue: false });
      return world.afterCheck(user.integration, user.browser);
    },
  },
  'two instances refresh at once': {
    notHere: 'needs several instances',
    coveredBy: {
      spec: 'apps/linkage/src/links/refresh-rotation.long.db.spec.ts',
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
