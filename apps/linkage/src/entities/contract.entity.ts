import { ContractEvent } from '@podium/messages';
import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

const wholeNumber = {
  to: (value: number | null) => value,
  from: (value: string | null) => (value === null ? null : Number(value)),
};

/** One version of an integration's contract; its events never change after it is published. */
@Entity({ name: 'contracts', schema: 'linkage' })
export class Contract {
  @PrimaryColumn('uuid', { name: 'integration_id' })
  integrationId: string;

  @PrimaryColumn('integer')
  version: number;

  @Column('jsonb')
  events: ContractEvent[];

  /** The time of receipt from which the version applies. */
  @Column('timestamptz', { name: 'in_force_from' })
  inForceFrom: Date;

  /** The outbox row that published the version. */
  @Column('bigint', { name: 'outbox_id', transformer: wholeNumber })
  outboxId: number;

  /** End of the topic after that record was acknowledged; null until then. */
  @Column('bigint', { name: 'barrier_offset', nullable: true, transformer: wholeNumber })
  barrierOffset: number | null;

  /** When every live instance had the version; null until then. */
  @Column('timestamptz', { name: 'in_force_at', nullable: true })
  inForceAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;

  @Column('text', { name: 'created_by' })
  createdBy: string;
}
