import { freshName } from '@podium/testing';
import { CoveringTest } from '@podium/testing/covering-test';
import { CaseIntegration, CaseWorld, SeenOutcome } from './case-world';
import { Expected } from './expected';
import { LinkBrowser } from '../link-browser';

/** A case that somebody other than the partner makes; it runs here, or says why it does not and which test covers it. */
export type FlowCase =
  | { readonly expected: Expected; readonly run: (world: CaseWorld) => Promise<SeenOutcome> }
  | { readonly notHere: string; readonly coveredBy: CoveringTest };

/** A flow that is back from the partner, and not yet at the callback. */
export interface Returned {
  readonly integration: CaseIntegration;
  readonly browser: LinkBrowser;
  readonly back: string;
}

/** A new user's flow, at a new integration unless one is given. */
export async function returned(
  world: CaseWorld,
  integration?: CaseIntegration,
  sub = freshName('sub'),
): Promise<Returned> {
  const at = integration ?? (await world.integration());
  const browser = await world.browser();
  return { integration: at, browser, back: await browser.atPartner(await browser.begin(at.integrationId), sub) };
}

/** Follows the redirect in a browser, and says what is known of its user then. */
export async function follow(
  world: CaseWorld,
  { integration, browser, back }: Returned,
  headers: Record<string, string> = {},
): Promise<SeenOutcome> {
  return world.afterFlow(integration, browser, (await browser.get(back, headers)).text);
}
