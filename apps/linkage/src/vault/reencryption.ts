import { Logger } from '@podium/runtime/log';
import { Gauge, Registry } from '@podium/runtime/metrics';
import { ResealedBatch, SealedRowsStore } from './sealed-rows.store';

/**
 * After a rotation of VAULT_KEYS: re-encrypts all secrets with the new key while the service runs. Open flows and revocations
 * are left alone: they end within minutes, and within a day.
 */
export class Reencryption {
  private readonly remaining: Gauge;

  constructor(
    private readonly rows: SealedRowsStore,
    private readonly logger: Logger,
    registry: Registry,
  ) {
    this.remaining = new Gauge({
      name: 'linkage_vault_former_key_secrets',
      help: 'Secrets still encrypted with a former key',
      registers: [registry],
    });
  }

  /** Goes through all sealed rows; ends early at a stop. */
  async run(signal: AbortSignal): Promise<void> {
    const integrations = await this.through((after) => this.rows.resealClientSecrets(after), signal);
    const tokens = await this.through((after) => this.rows.resealTokens(after), signal);
    if (integrations + tokens > 0)
      this.logger.info({ integrations, tokens }, 're-encrypted rows with the current vault key');
    await this.count();
  }

  private async through(batch: (after: string | null) => Promise<ResealedBatch>, signal: AbortSignal): Promise<number> {
    let total = 0;
    let after: string | null = null;
    let countedMs = -Infinity;
    do {
      const { resealed, broken, next }: ResealedBatch = await batch(after);
      if (broken.length > 0) this.logger.error({ broken }, 'rows cannot be decrypted; they stay under their old key');
      total += resealed;
      after = next;
      if (after !== null && performance.now() - countedMs > countEveryMs) {
        await this.count();
        countedMs = performance.now();
      }
    } while (after !== null && !signal.aborted);
    return total;
  }

  private async count(): Promise<void> {
    this.remaining.set(await this.rows.countUnderFormerKeys());
  }
}

/** In a long run the metric is updated at this interval. */
const countEveryMs = 30_000;
