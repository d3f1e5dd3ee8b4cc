import { Logger } from '@podium/runtime/log';
import { ResealedBatch, SealedRowsStore } from './sealed-rows.store';

/**
 * After a rotation of VAULT_KEYS: seals everything under the new key while the service goes on. Once a run logs nothing on
 * any instance, the old key may leave the ring. Flows under way are left alone: they end within minutes.
 */
export class Reencryption {
  constructor(
    private readonly rows: SealedRowsStore,
    private readonly logger: Logger,
  ) {}

  /** Goes through all sealed rows; ends early at a stop. */
  async run(signal: AbortSignal): Promise<void> {
    const integrations = await this.through((after) => this.rows.resealClientSecrets(after), signal);
    const tokens = await this.through((after) => this.rows.resealTokens(after), signal);
    if (integrations + tokens > 0)
      this.logger.info({ integrations, tokens }, 'sealed rows anew under the current vault key');
  }

  private async through(batch: (after: string | null) => Promise<ResealedBatch>, signal: AbortSignal): Promise<number> {
    let total = 0;
    let after: string | null = null;
    do {
      const { resealed, broken, next }: ResealedBatch = await batch(after);
      if (broken.length > 0) this.logger.error({ broken }, 'sealed rows do not open; they stay under their old key');
      total += resealed;
      after = next;
    } while (after !== null && !signal.aborted);
    return total;
  }
}
