import { redirectUrlOf } from '../integrations/onboarding';
import { Deadline } from '../partner-client/deadline';
import { PartnerClient } from '../partner-client/partner-client';
import { PartnerRoom } from '../partner-client/partner-room';
import { PartnerResult, PartnerUser, TokenSet, failure } from '../partner-client/partner-result';
import { places } from '../vault/places';
import { Vault } from '../vault/vault';
import { TakenFlow } from './flow.store';
import { PartnerIntegration } from './partner-integration.store';

/** Who came back from the partner, and the tokens of the grant. */
export interface Identified {
  readonly tokens: TokenSet;
  readonly user: PartnerUser;
}

/** Asks the partner who came back: one-time code to tokens, tokens to the user (specification, Flow rules 1). */
export class IdentifyUser {
  constructor(
    private readonly parts: {
      readonly vault: Vault;
      readonly partnerClient: PartnerClient;
      readonly room: PartnerRoom;
      readonly publicUrl: string;
    },
  ) {}

  /** Both requests end by the deadline; never throws for what a partner does. */
  async identify(
    partner: PartnerIntegration,
    flow: TakenFlow,
    code: string,
    deadline: Deadline,
  ): Promise<PartnerResult<Identified>> {
    const leave = this.parts.room.enter(partner.platform);
    if (!leave) return failure('unavailable', 'too many people wait for partners that are slow');
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
        : vault.open(flow.codeVerifierEnc, places.codeVerifier(flow.stateHash.toString('hex')));
    const grant = { code, redirectUri: redirectUrlOf(flow.integrationId, publicUrl), codeVerifier };
    const tokens = await partnerClient.exchangeCode(connection, grant, deadline);
    if (!tokens.ok) return tokens;
    const user = await partnerClient.userInfo(connection, tokens.value.accessToken, deadline);
    return user.ok ? { ok: true, value: { tokens: tokens.value, user: user.value } } : user;
  }
}
