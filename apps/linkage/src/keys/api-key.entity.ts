import { KeyScope } from '@podium/messages';
import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** What a key opens: partner events or competition data. */
export type ApiKeyKind = 'event' | 'data';

/** The form of a key's text: our own, or a UUID for clients that take nothing else. */
export type ApiKeyFormat = 'podium' | 'uuid';

/** An API key without the key: only its hash is kept. */
@Entity({ name: 'api_keys', schema: 'linkage' })
export class ApiKey {
  @PrimaryColumn('text', { name: 'key_id' })
  keyId: string;

  @Column('text')
  kind: ApiKeyKind;

  @Column('text')
  format: ApiKeyFormat;

  /** What people call a data key; null for an event key. */
  @Column('text', { nullable: true })
  name: string | null;

  /** SHA-256 of the whole key, hex. */
  @Column('text')
  hash: string;

  /** The integration an event key speaks for; null for a data key. */
  @Column('uuid', { name: 'integration_id', nullable: true })
  integrationId: string | null;

  /** Whose operators manage a data key; null is the service's own, and for event keys the integration says it. */
  @Column('text', { name: 'organizer_id', nullable: true })
  organizerId: string | null;

  @Column('jsonb')
  scopes: KeyScope[];

  @Column('integer', { name: 'rate_per_second' })
  ratePerSecond: number;

  @Column('timestamptz', { name: 'not_after', nullable: true })
  notAfter: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;

  @Column('text', { name: 'created_by' })
  createdBy: string;
}
