import { DataSource, IsNull } from 'typeorm';
import { Contract } from '../entities/contract.entity';

/** A published version that some instance may not have yet. */
export interface WaitingContract {
  readonly integrationId: string;
  readonly version: number;
  readonly platform: string;
  /** Null while its record waits in the outbox, and then until the next round. */
  readonly barrierOffset: number | null;
  /** Whether the record has left the outbox, which happens after Kafka's acknowledgement. */
  readonly published: boolean;
}

/** Follows published versions until they are in force. */
export class ContractProgressStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Versions that are due, except those that a later version replaced before. */
  async waiting(): Promise<WaitingContract[]> {
    const rows = await this.dataSource.query<
      (Omit<WaitingContract, 'barrierOffset'> & { barrierOffset: string | null })[]
    >(
      `SELECT c.integration_id AS "integrationId", c.version, i.platform, c.barrier_offset::text AS "barrierOffset",
              NOT EXISTS (SELECT 1 FROM linkage.outbox o WHERE o.id = c.outbox_id) AS published
       FROM linkage.contracts c JOIN linkage.integrations i USING (integration_id)
       WHERE c.in_force_at IS NULL AND c.in_force_from <= now()
         AND NOT EXISTS (
           SELECT 1 FROM linkage.contracts later
           WHERE later.integration_id = c.integration_id AND later.version > c.version
             AND later.in_force_from <= c.in_force_from)
       ORDER BY c.outbox_id
       LIMIT 1000`,
    );
    return rows.map((row) => ({
      ...row,
      barrierOffset: row.barrierOffset === null ? null : Number(row.barrierOffset),
    }));
  }

  async setBarrier(contract: WaitingContract, offset: number): Promise<void> {
    await this.dataSource.manager.update(Contract, this.open(contract), { barrierOffset: offset });
  }

  async setInForce(contract: WaitingContract, at: Date): Promise<void> {
    await this.dataSource.manager.update(Contract, this.open(contract), { inForceAt: at });
  }

  private open({ integrationId, version }: WaitingContract) {
    return { integrationId, version, inForceAt: IsNull() };
  }
}
