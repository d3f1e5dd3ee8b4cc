import { Pool, inTransaction, queryable } from '@podium/runtime/postgres';
import { CodedError } from '@podium/messages';
import { linkFlowLifetimeS } from '../browser/flow-lifetimes';
import { randomSecret, secretHash } from '../links/authorization-url';
import { beginFlow } from '../links/begin-flow';
import { insertFlow } from '../links/flow.store';
import { PartnerIntegrationStore } from '../links/partner-integration.store';
import { RedirectBases } from '../links/redirect-bases';
import { StartedLink } from '../links/start-link';
import { Vault } from '../vault/vault';
import { openOnce, readUnopened } from './test-link.store';

/** Opens a test link in the browser of whoever has its address: once, after a confirmation there. */
export class OpenTestLink {
  constructor(
    private readonly parts: {
      readonly pool: Pool;
      readonly integrations: PartnerIntegrationStore;
      readonly vault: Vault;
      readonly redirectBases: RedirectBases;
    },
  ) {}

  /** The name of the partner to be tested; throws `not_found` for an address that is unknown, used or too old. */
  async partnerOf(entry: string): Promise<string> {
    const link = await readUnopened(queryable(this.parts.pool), secretHash(entry));
    const partner = link && (await this.parts.integrations.get(link.integrationId));
    if (!partner) throw new CodedError('not_found');
    return partner.displayName;
  }

  /** Begins the flow, also of a paused integration; throws `not_found` as above. */
  async open(entry: string, knownBrowserSecret: string | null): Promise<StartedLink> {
    const { pool, integrations, vault, redirectBases } = this.parts;
    const browserSecret = knownBrowserSecret ?? randomSecret();
    const link = await readUnopened(queryable(pool), secretHash(entry));
    const partner = link && (await integrations.get(link.integrationId));
    if (!link || !partner) throw new CodedError('not_found');
    const { testLinkId } = link;
    const owner = {
      ...{ userId: `test:${testLinkId}`, sessionHash: secretHash(testLinkId), returnTo: null, testLinkId },
      browserHash: secretHash(browserSecret),
    };
    const { flow, authorizationUrl } = beginFlow(partner, owner, { vault, redirectBases });
    await inTransaction(pool, async (tx) => {
      if (!(await openOnce(tx, testLinkId))) throw new CodedError('not_found');
      await insertFlow(tx, flow, { lifetimeS: linkFlowLifetimeS, openMax: 1 });
    });
    return { authorizationUrl, browserSecret, displayName: partner.displayName };
  }
}
