import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { secretLocations } from '../src/vault/secret-locations';
import { Vault } from '../src/vault/vault';
import { fixed } from '@podium/runtime/config';
import { vaultKey } from './spec-keys';

/** A partner's address and client, and how its profile differs from the specification. */
export interface InsertedPartner {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly profile?: object;
}

/** Inserts an integration directly into the tables, for specs without the operators' API; returns its id. */
export async function insertIntegration(
  databaseUrl: string,
  { platform, displayName, partner }: { platform: string; displayName: string; partner: InsertedPartner },
): Promise<string> {
  const integrationId = randomUUID();
  const vault = new Vault(fixed([{ id: 'k1', key: vaultKey }]));
  const profile = {
    scope: null,
    client_auth: 'basic_raw',
    client_id_in_body: false,
    pkce: true,
    access_token_lifetime_s: 3600,
    timeout_ms: 2000,
    ...partner.profile,
  };
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO linkage.integrations (integration_id, platform, partner, organizer_id, display_name, status,
         authorization_url, base_url, client_id, client_secret_enc, profile, version)
       VALUES ($1, $2, $2, 'organizer-1', $3, 'active', $4, $5, $6, $7, $8, 1)`,
      [
        integrationId,
        platform,
        displayName,
        `${partner.baseUrl}/authorize`,
        partner.baseUrl,
        partner.clientId,
        vault.seal(partner.clientSecret, secretLocations.clientSecret(integrationId)),
        profile,
      ],
    );
  } finally {
    await client.end();
  }
  return integrationId;
}
