import { EventScope, KeyScope } from '@podium/messages';
import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** What a key is for: partner events or competition data. */
export type ApiKeyKind = 'event' | 'data';

/** The format of a key: Podium's own, or a UUID for clients that accept nothing else. */
export type ApiKeyFormat = 'podium' | 'uuid';

/** An API key without the key: only its hash is stored. */
@Entity({ name: 'api_keys', schema: 'linkage' })
export class ApiKey {
  @PrimaryColumn('text', { name: 'key_id' })
  keyId: string;

  @Column('text')
  kind: ApiKeyKind;

  @Column('text')
  format: ApiKeyFormat;

  /** Name of a data key; null for an event key. */
  @Column('text', { nullable: true })
  name: string | null;

  /** SHA-256 of the whole key, hex. */
  @Column('text')
  hash: string;

  /** The integration of an event key; null for a data key. */
  @Column('uuid', { name: 'integration_id', nullable: true })
  integrationId: string | null;

  /** The organizer whose operators manage a data key; null for a key of the service itself and for event keys. */
  @Column('text', { name: 'organizer_id', nullable: true })
  organizerId: string | null;

  @Column('jsonb')
  scopes: KeyScope[];

  /** Of an event key; null for both scopes, and for a data key. */
  @Column('jsonb', { name: 'event_scopes', nullable: true })
  eventScopes: EventScope[] | null;

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
