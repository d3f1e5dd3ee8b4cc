import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn, VersionColumn } from 'typeorm';

/** Whether events and links of an integration are accepted. */
export type IntegrationStatus = 'active' | 'paused';

/** How a partner's server deviates from the specification; every deviation is off by default. */
export interface PartnerProfile {
  /** Sent with the authorization request; null leaves it out. */
  scope: string | null;
  /** `basic_raw` is the specification's base64 of id:secret; RFC 6749 section 2.3.1 form-encodes both first. */
  client_auth: 'basic_raw' | 'basic_form_encoded';
  /** Also sends client_id as a form field of the token request. */
  client_id_in_body: boolean;
  /** PKCE S256 (RFC 7636). */
  pkce: boolean;
  /** Assumed lifetime when the partner's reply has none, whole seconds. */
  access_token_lifetime_s: number;
  /** Total time for one call of the partner, whole milliseconds. */
  timeout_ms: number;
  /** Below the base URL, where tokens are revoked (RFC 7009); null for a partner that cannot. */
  revocation_path: string | null;
  /** The public address of this deployment whose redirect URL the partner has registered; null for PUBLIC_URL. */
  redirect_base: string | null;
  /** The `iss` of its redirects (RFC 9207); null for one of its addresses. */
  issuer: string | null;
}

/** One partner integration: one platform name, exactly one organizer (specification, What the service does). */
@Entity({ name: 'integrations', schema: 'linkage' })
export class Integration {
  @PrimaryColumn('uuid', { name: 'integration_id' })
  integrationId: string;

  @Column('text')
  platform: string;

  @Column('text')
  partner: string;

  @Column('text', { name: 'organizer_id' })
  organizerId: string;

  @Column('text', { name: 'display_name' })
  displayName: string;

  @Column('text')
  status: IntegrationStatus;

  @Column('text', { name: 'authorization_url' })
  authorizationUrl: string;

  /** Where `/oauth2/token` and `/oauth2/userinfo` are, without a slash at its end. */
  @Column('text', { name: 'base_url' })
  baseUrl: string;

  @Column('text', { name: 'client_id' })
  clientId: string;

  /** Sealed; location `clientSecret`. */
  @Column('text', { name: 'client_secret_enc' })
  clientSecretEnc: string;

  /** Sealed for the same location; tried when the current one is refused during a rotation. */
  @Column('text', { name: 'previous_client_secret_enc', nullable: true })
  previousClientSecretEnc: string | null;

  @Column('jsonb')
  profile: PartnerProfile;

  /** Requests per second at the partner edge over all keys, and their burst. */
  @Column('integer', { name: 'event_rate_per_second' })
  ratePerSecond: number;

  /** Grows when `baseUrl` gets another origin: codes and tokens of another version are not sent there. */
  @Column('integer', { name: 'origin_version' })
  originVersion: number;

  /** Grows with every change. */
  @VersionColumn({ type: 'integer' })
  version: number;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at' })
  updatedAt: Date;
}
