import { CryptoKey, JWK, exportJWK, generateKeyPair, importJWK } from 'jose';
import { JsonFile } from '../storage/json-file';

/** The identity provider's signing key, the same across restarts so that tokens stay valid. */
export interface SigningKey {
  readonly jwk: JWK;
  readonly privateKey: CryptoKey;
}

/** Reads the key from the folder, or creates one. */
export async function openSigningKey(dataDir: string): Promise<SigningKey> {
  const file = JsonFile.open<{ jwk?: JWK }>(`${dataDir}/signing-key.json`, () => ({}));
  if (!file.value.jwk) {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    file.value.jwk = { ...(await exportJWK(privateKey)), kid: 'sandbox', alg: 'RS256', use: 'sig' };
    file.write();
  }
  return { jwk: file.value.jwk, privateKey: (await importJWK(file.value.jwk, 'RS256')) as CryptoKey };
}
