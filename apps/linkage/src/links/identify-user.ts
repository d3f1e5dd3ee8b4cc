import { redirectUrlOf } from '../integrations/redirect-url';
import { Deadline } from '../partner-client/deadline';
import { PartnerClient } from '../partner-client/partner-client';
import { PartnerWaits } from '../partner-client/partner-waits';
import { PartnerResult, PartnerUser, TokenSet, failure } from '@podium/partner-check/protocol/partner-result';
import { secretLocations } from '../vault/secret-locations';
import { Vault } from '../vault/vault';
import { TakenFlow } from './flow.store';
import { PartnerIntegration } from './partner-integration.store';

/** The user who returned from the partner, and the tokens of the grant. */
export interface Identified {
  readonly tokens: TokenSet;
  readonly user: PartnerUser;
}

/** Identifies the returning user at the partner: code to tokens, tokens to user info (specification, Flow rules 1). */
export class IdentifyUser {
  constructor(
    private readonly parts: {
      readonly vault: Vault;
      readonly partnerClient: PartnerClient;
      readonly waits: PartnerWaits;
      readonly publicUrl: string;
    },
  ) {}

  /** Both requests end by the deadline; a partner's error never throws. */
  async identify(
    partner: PartnerIntegration,
    flow: TakenFlow,
    code: string,
    deadline: Deadline,
  ): Promise<PartnerResult<Identified>> {
    const leave = this.parts.waits.enter(partner.platform);
    if (!leave) return failure('unavailable', 'too many users wait for slow partners');
    try {
      return await this.ask(partner, flow, code, deadline);
    } finally {
      leave();
    }
  }

  private async ask(
    { connection }: PartnerIntegration,
    flow: TakenFlow,
    code: string,
    deadline: Deadline,
  ): Promise<PartnerResult<Identified>> {
    const { partnerClient, vault, publicUrl } = this.parts;
    const codeVerifier =
      flow.codeVerifierEnc === null
        ? null
        : vault.open(flow.codeVerifierEnc, secretLocations.codeVerifier(flow.stateHash.toString('hex')));
    const grant = { code, redirectUri: redirectUrlOf(flow.integrationId, publicUrl), codeVerifier };
    const tokens = await partnerClient.exchangeCode(connection, grant, deadline);
    if (!tokens.ok) return tokens;
    const user = await partnerClient.userInfo(connection, tokens.value.accessToken, deadline);
    return user.ok ? { ok: true, value: { tokens: tokens.value, user: user.value } } : user;
  }
}
