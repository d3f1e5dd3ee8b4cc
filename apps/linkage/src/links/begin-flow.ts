import { redirectUrlOf } from '../integrations/redirect-url';
import { Vault } from '../vault/vault';
import { authorizationUrl, randomSecret, secretHash } from './authorization-url';
import { sealVerifier } from './code-verifier';
import { Flow } from './flow.store';
import { PartnerIntegration } from './partner-integration.store';
import { RedirectBases } from './redirect-bases';

/** Who begins a flow, and where it leads. */
export type FlowOwner = Pick<Flow, 'userId' | 'sessionHash' | 'browserHash' | 'returnTo' | 'testLinkId'>;

/** A flow to be stored, and where to send the browser. */
export interface NewFlow {
  readonly flow: Flow;
  readonly authorizationUrl: string;
}

/** Makes a flow with a new state and, if the partner's profile has PKCE, a new code verifier; only hashes and seals are in it. */
export function beginFlow(
  partner: PartnerIntegration,
  owner: FlowOwner,
  { vault, redirectBases }: { readonly vault: Vault; readonly redirectBases: RedirectBases },
): NewFlow {
  const { integrationId, originVersion } = partner;
  const { pkce, redirectBase } = partner.connection.profile;
  const state = randomSecret();
  const stateHash = secretHash(state);
  const codeVerifier = pkce ? randomSecret() : null;
  const redirectUri = redirectUrlOf(integrationId, redirectBases.baseOf(redirectBase));
  const codeVerifierEnc = sealVerifier(vault, codeVerifier, stateHash);
  return {
    flow: { ...owner, stateHash, integrationId, codeVerifierEnc, originVersion, redirectUri },
    authorizationUrl: authorizationUrl(partner, { redirectUri, state, codeVerifier }),
  };
}
