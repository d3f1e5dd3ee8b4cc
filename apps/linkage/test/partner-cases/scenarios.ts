import { ModeName, PartnerOperation } from '@podium/simulated-partner';
import { freshName } from '@podium/testing';
import { LinkBrowser } from '../link-browser';
import { CaseIntegration, CaseWorld, SeenOutcome } from './case-world';

/** Where in linking a partner's mode has its effect. */
export type Scenario = 'linking' | 'identifying' | 'returning' | 'refreshing' | 'checking';

/** A user with a link whose tokens are due, at a partner that followed the specification until then. */
export interface LinkedUser {
  readonly integration: CaseIntegration;
  readonly browser: LinkBrowser;
  readonly sub: string;
}

/** Runs one scenario with a mode in force at its operation, and says what was seen. */
export function play(world: CaseWorld, scenario: Scenario, mode: ModeName): Promise<SeenOutcome> {
  switch (scenario) {
    case 'linking':
      return link(world, mode, 'exchange');
    case 'identifying':
      return link(world, mode, 'user_info');
    case 'returning':
      return link(world, mode);
    case 'refreshing':
      return check(world, mode, 'refresh');
    case 'checking':
      return check(world, mode, 'user_info');
  }
}

async function link(world: CaseWorld, mode: ModeName, at?: PartnerOperation): Promise<SeenOutcome> {
  const integration = await world.integration();
  const browser = await world.browser();
  await world.setMode(integration, mode, at);
  const page = await browser.link(integration.integrationId, freshName('sub'));
  return world.afterFlow(integration, browser, page.text);
}

/** A link as it is after a flow in which the partner followed the specification. */
export async function linkedUser(world: CaseWorld, profile: object = {}): Promise<LinkedUser> {
  const integration = await world.integration({ profile });
  const browser = await world.browser();
  const sub = freshName('sub');
  const page = await browser.link(integration.integrationId, sub);
  if (page.status !== 200) throw new Error(page.text);
  return { integration, browser, sub };
}

/** Lets a user look at their link, which asks the partner; `isDue` makes a refresh necessary before that. */
export async function look(world: CaseWorld, user: LinkedUser, { isDue }: { isDue: boolean }): Promise<void> {
  const { integrationId } = user.integration;
  const ago = `UPDATE linkage.links SET user_info_at = now() - interval '1 hour' WHERE integration_id = $1`;
  await world.database.query(ago, [integrationId]);
  if (isDue)
    await world.database.query(
      `UPDATE linkage.link_tokens t SET expires_at = now() FROM linkage.links l
       WHERE l.link_id = t.link_id AND l.integration_id = $1`,
      [integrationId],
    );
  await user.browser.get(`/v1/me/links/${integrationId}?refresh=true`);
}

async function check(world: CaseWorld, mode: ModeName, at: 'refresh' | 'user_info'): Promise<SeenOutcome> {
  const user = await linkedUser(world);
  await world.setMode(user.integration, mode, at);
  await look(world, user, { isDue: at === 'refresh' });
  return world.afterCheck(user.integration, user.browser);
}
