import { queryable } from '@podium/runtime/postgres';
import { TokenSet } from '@podium/partner-check/protocol/partner-result';
import { strictAuthorizationPath, strictProfile } from '@podium/simulated-partner/strict/strict-partner';
import { logInAtStrictPartner } from '@podium/simulated-partner/strict/strict-log-in';
import { StrictPartnerServer } from '@podium/simulated-partner/strict/strict-partner-server';
import { freshName } from '@podium/testing';
import { Registry } from 'prom-client';
import { authorizationUrl, randomSecret } from '../src/links/authorization-url';
import { PartnerIntegration, PartnerIntegrationStore } from '../src/links/partner-integration.store';
import { PartnerClient } from '../src/partner-client/partner-client';
import { PartnerHttp } from '../src/partner-client/partner-http';
import { LinkParts } from './link-parts';

/** Accounts of a strict partner, with an integration and a client of their own there. */
export class StrictAccounts {
  private constructor(
    readonly partner: PartnerIntegration,
    private readonly redirectUri: string,
    private readonly partnerClient: PartnerClient,
  ) {}

  static async at(strict: StrictPartnerServer, parts: LinkParts, profile: object = {}): Promise<StrictAccounts> {
    const client = { clientId: freshName('podium'), clientSecret: randomSecret() };
    const { integrationId } = await parts.integration({
      ...{ ...client, baseUrl: strict.baseUrl },
      profile: { ...strictProfile, timeout_ms: 1000, ...profile },
    });
    const redirectUri = `https://test.podium.example/v1/oauth/callback/${integrationId}`;
    await strict.register({
      ...{ client_id: client.clientId, client_secret: client.clientSecret, redirect_url: redirectUri },
    });
    const stored = await new PartnerIntegrationStore(queryable(parts.pool), parts.vault).get(integrationId);
    if (!stored) throw new Error('the integration is not there');
    const partner = { ...stored, authorizationUrl: `${strict.baseUrl}${strictAuthorizationPath}` };
    const partnerClient = new PartnerClient(new PartnerHttp(new Set([strict.host])), parts.logger, new Registry());
    return new StrictAccounts(partner, redirectUri, partnerClient);
  }

  /** The tokens of a log-in, by the partner's own pages. */
  async tokensOf(sub: string): Promise<TokenSet> {
    const { partner, redirectUri } = this;
    const codeVerifier = randomSecret();
    const url = authorizationUrl(partner, { redirectUri, state: randomSecret(), codeVerifier });
    const back = new URL(await logInAtStrictPartner(url, redirectUri, sub));
    const code = back.searchParams.get('code') ?? '';
    const tokens = await this.partnerClient.exchangeCode(partner.connection, { code, redirectUri, codeVerifier });
    if (!tokens.ok) throw new Error(tokens.reason);
    return tokens.value;
  }

  stop(): Promise<void> {
    return this.partnerClient.stop();
  }
}
