import { Queryable } from '@podium/runtime/postgres';
import type { Integration } from '../entities/integration.entity';
import { PartnerConnection } from '../partner-client/partner-profile';
import { secretLocations } from '../vault/secret-locations';
import { Vault } from '../vault/vault';

/** An integration as linking needs it. */
export interface PartnerIntegration {
  readonly integrationId: string;
  readonly platform: string;
  readonly organizerId: string;
  readonly displayName: string;
  readonly status: 'active' | 'paused';
  readonly authorizationUrl: string;
  /** Codes and tokens issued under another version belong to another server. */
  readonly originVersion: number;
  readonly connection: PartnerConnection;
}

/** An integration as users see it. */
export type ShownIntegration = Pick<PartnerIntegration, 'integrationId' | 'platform' | 'displayName' | 'status'>;

const shownColumns = `integration_id AS "integrationId", platform, display_name AS "displayName", status`;
/** Bounds what a page has. */
const listedMax = 500;

type Row = Pick<
  Integration,
  | 'integrationId'
  | 'platform'
  | 'organizerId'
  | 'displayName'
  | 'status'
  | 'authorizationUrl'
  | 'baseUrl'
  | 'clientId'
  | 'clientSecretEnc'
  | 'previousClientSecretEnc'
  | 'profile'
  | 'originVersion'
>;

/** Reads integrations for linking; operators write them. */
export class PartnerIntegrationStore {
  constructor(
    private readonly db: Queryable,
    private readonly vault: Vault,
  ) {}

  /** The integration with its decrypted secrets, or null. */
  async get(integrationId: string): Promise<PartnerIntegration | null> {
    const { rows } = await this.db.query<Row>(
      `SELECT integration_id AS "integrationId", platform, organizer_id AS "organizerId", display_name AS "displayName",
              status, authorization_url AS "authorizationUrl", base_url AS "baseUrl", client_id AS "clientId",
              client_secret_enc AS "clientSecretEnc", previous_client_secret_enc AS "previousClientSecretEnc", profile,
              origin_version AS "originVersion"
       FROM linkage.integrations WHERE integration_id = $1`,
      [integrationId],
    );
    return rows.length === 0 ? null : this.opened(rows[0]);
  }

  /** The integration as users see it, or null. */
  async shown(integrationId: string): Promise<ShownIntegration | null> {
    const { rows } = await this.db.query<ShownIntegration>(
      `SELECT ${shownColumns} FROM linkage.integrations WHERE integration_id = $1`,
      [integrationId],
    );
    return rows.at(0) ?? null;
  }

  /** Integrations that users may link with, by name: the first 500, and always these. */
  async list(always: readonly string[]): Promise<ShownIntegration[]> {
    const { rows } = await this.db.query<ShownIntegration>(
      `(SELECT ${shownColumns} FROM linkage.integrations ORDER BY display_name, platform LIMIT ${listedMax})
       UNION
       SELECT ${shownColumns} FROM linkage.integrations WHERE integration_id = ANY ($1::uuid[])
       ORDER BY "displayName", platform`,
      [always],
    );
    return rows;
  }

  private opened(row: Row): PartnerIntegration {
    const place = secretLocations.clientSecret(row.integrationId);
    // Empty after a restore until an operator enters it again; until then the integration is paused.
    const current = row.clientSecretEnc === '' ? '' : this.vault.open(row.clientSecretEnc, place);
    const previous = row.previousClientSecretEnc === null ? null : this.vault.open(row.previousClientSecretEnc, place);
    return {
      integrationId: row.integrationId,
      platform: row.platform,
      organizerId: row.organizerId,
      displayName: row.displayName,
      status: row.status,
      authorizationUrl: row.authorizationUrl,
      originVersion: row.originVersion,
      connection: {
        platform: row.platform,
        baseUrl: row.baseUrl,
        clientId: row.clientId,
        clientSecret: current,
        previousClientSecret: previous,
        secretNames: {
          current: this.vault.fingerprints(current, place)[0],
          previous: previous === null ? null : this.vault.fingerprints(previous, place)[0],
        },
        profile: {
          scope: row.profile.scope,
          clientAuth: row.profile.client_auth,
          clientIdInBody: row.profile.client_id_in_body,
          pkce: row.profile.pkce,
          accessTokenLifetimeS: row.profile.access_token_lifetime_s,
          timeoutMs: row.profile.timeout_ms,
          // Profiles of earlier releases do not have it.
          revocationPath: row.profile.revocation_path ?? null,
          redirectBase: row.profile.redirect_base ?? null,
          issuer: row.profile.issuer ?? null,
        },
      },
    };
  }
}

/** Prevents a pause of the integration until the transaction ends; returns whether it is active. */
export async function holdActive(tx: Queryable, integrationId: string): Promise<boolean> {
  const { rows } = await tx.query<{ status: string }>(
    `SELECT status FROM linkage.integrations WHERE integration_id = $1 FOR SHARE`,
    [integrationId],
  );
  return rows[0]?.status === 'active';
}
