import { PartnerActivity } from '../activity/partner-activity';
import { redirectUrlOf } from '../integrations/redirect-url';
import { Deadline } from '../partner-client/deadline';
import { PartnerClient } from '../partner-client/partner-client';
import { PartnerWaits } from '../partner-client/partner-waits';
import { PartnerFailure, PartnerUser, TokenSet, failure } from '@podium/partner-check/protocol/partner-result';
import { Vault } from '../vault/vault';
import { openVerifier } from './code-verifier';
import { userDigest } from './erased-users.queries';
import { TakenFlow } from './flow.store';
import { FlowProgress } from './flow-progress';
import { PartnerIntegration } from './partner-integration.store';

/** The user who returned from the partner, and the tokens of the grant. */
export interface Identified {
  readonly tokens: TokenSet;
  /** When the tokens arrived, monotonic ms: a partner that keeps one grant per account ends those of earlier exchanges. */
  readonly exchangedAtMs: number;
  readonly user: PartnerUser;
}

/** Why a returning user is not identified. */
export interface NotIdentified extends PartnerFailure {
  /** What the partner has issued before; null if nothing. */
  readonly unused: TokenSet | null;
}

/** Whether the user is identified, and why not. */
export type Identification = { readonly ok: true; readonly value: Identified } | NotIdentified;

/** Identifies the returning user at the partner: code to tokens, tokens to user info (specification, Flow rules 1). */
export class IdentifyUser {
  constructor(
    private readonly parts: {
      readonly vault: Vault;
      readonly partnerClient: PartnerClient;
      readonly waits: PartnerWaits;
      readonly activity: PartnerActivity;
      readonly publicUrl: string;
    },
  ) {}

  /** Both requests end by the deadline; a partner's error never throws. */
  async identify(
    partner: PartnerIntegration,
    flow: TakenFlow,
    code: string,
    { deadline, progress }: { readonly deadline: Deadline; readonly progress?: FlowProgress },
  ): Promise<Identification> {
    const leave = this.parts.waits.enter(partner.platform);
    if (!leave) return { ...failure('unavailable', 'too many users wait for slow partners'), unused: null };
    try {
      return await this.ask(partner, flow, code, { deadline, progress });
    } finally {
      leave();
    }
  }

  private async ask(
    { connection, integrationId, platform }: PartnerIntegration,
    flow: TakenFlow,
    code: string,
    { deadline, progress }: { readonly deadline: Deadline; readonly progress?: FlowProgress },
  ): Promise<Identification> {
    const { partnerClient, vault, activity, publicUrl } = this.parts;
    const codeVerifier = openVerifier(vault, flow);
    const redirectUri = flow.redirectUri ?? redirectUrlOf(flow.integrationId, publicUrl);
    const record = activity.recorder(integrationId, { userDigest: userDigest({ platform, userId: flow.userId }) });
    const options = { deadline, record };
    const tokens = await partnerClient.exchangeCode(connection, { code, redirectUri, codeVerifier }, options);
    if (!tokens.ok) return { ...tokens, unused: null };
    const exchangedAtMs = performance.now();
    progress?.passed('exchanged');
    const user = await partnerClient.userInfo(connection, tokens.value.accessToken, options);
    if (!user.ok) return { ...user, unused: tokens.value };
    progress?.passed('identified');
    return { ok: true, value: { tokens: tokens.value, exchangedAtMs, user: user.value } };
  }
}
