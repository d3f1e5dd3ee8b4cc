import { Logger } from '@podium/runtime/log';
import { Gauge, Registry } from '@podium/runtime/metrics';
import { ResealedBatch, SealedRowsStore } from './sealed-rows.store';

/**
 * After a rotation of VAULT_KEYS: seals everything under the new key while the service goes on. Flows under way are left
 * alone: they end within minutes.
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
      help: 'Secrets still sealed under another key than the one that seals',
      registers: [registry],
    });
  }

  /** Goes through all sealed rows; ends early at a stop. */
  async run(signal: AbortSignal): Promise<void> {
    const integrations = await this.through((after) => this.rows.resealClientSecrets(after), signal);
    const tokens = await this.through((after) => this.rows.resealTokens(after), signal);
    if (integrations + tokens > 0)
      this.logger.info({ integrations, tokens }, 'sealed rows anew under the current vault key');
    await this.count();
  }

  private async through(batch: (after: string | null) => Promise<ResealedBatch>, signal: AbortSignal): Promise<number> {
    let total = 0;
    let after: string | null = null;
    let countedMs = -Infinity;
    do {
      const { resealed, broken, next }: ResealedBatch = await batch(after);
      if (broken.length > 0) this.logger.error({ broken }, 'sealed rows do not open; they stay under their old key');
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

/** In a long run the figure falls step by step. */
const countEveryMs = 30_000;
