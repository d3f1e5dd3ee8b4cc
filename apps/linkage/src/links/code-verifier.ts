import { secretLocations } from '../vault/secret-locations';
import { Vault } from '../vault/vault';
import { Flow } from './flow.store';

/** Seals the code verifier of a flow (RFC 7636), bound to its state; null without PKCE. */
export function sealVerifier(vault: Vault, codeVerifier: string | null, stateHash: Buffer): string | null {
  return codeVerifier === null ? null : vault.seal(codeVerifier, locationOf(stateHash));
}

/** The code verifier of a flow for its token request; null without PKCE. */
export function openVerifier(
  vault: Vault,
  { codeVerifierEnc, stateHash }: Pick<Flow, 'codeVerifierEnc' | 'stateHash'>,
): string | null {
  return codeVerifierEnc === null ? null : vault.open(codeVerifierEnc, locationOf(stateHash));
}

function locationOf(stateHash: Buffer): ReturnType<typeof secretLocations.codeVerifier> {
  return secretLocations.codeVerifier(stateHash.toString('hex'));
}
