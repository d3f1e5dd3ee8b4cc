import { setTimeout as sleep } from 'node:timers/promises';
import {
  BatchedAnswer,
  BatchedEvent,
  decodeAnswers,
  encodeEvents,
  eventBatchContentType,
  eventBatchPath,
} from '@podium/messages';
import { InternalToken, internalTokenHeader } from '@podium/runtime/http';
import { BatchCarrier } from './event-batches';
import { IngestionAddress, IngestionAddresses } from './ingestion-addresses';

// Only these say that not a byte of the batch has left; after anything else its outcome is unknown.
const nothingSent = new Set(['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN']);
const batchesPerAddress = 2;
const restAfterTimeoutMs = 5_000;
const restAfterRefusalMs = 1_000;
const pauseBetweenRoundsMs = 100;

/** Carries batches to ingestion over the addresses it has; tries again only where nothing was sent. */
export class IngestionClient implements BatchCarrier {
  constructor(
    private readonly addresses: IngestionAddresses,
    private readonly internalToken: InternalToken,
  ) {}

  maxUnderWay(): number {
    return Math.max(2, this.addresses.size() * batchesPerAddress);
  }

  /** Sends one frame and reads the answers; rejects when the outcome is unknown or no address took it by the deadline. */
  async carry(
    events: readonly BatchedEvent[],
    deadlines: { ingestionAtMs: number; gatewayAtMs: number },
    traceparent?: string,
  ): Promise<BatchedAnswer[]> {
    const frame = encodeEvents(events);
    const tried = new Set<IngestionAddress>();
    let lastError: unknown = new Error('ingestion has no address');
    while (Date.now() < deadlines.ingestionAtMs) {
      const address = this.addresses.pick(tried);
      if (!address) {
        tried.clear();
        await sleep(pauseBetweenRoundsMs);
        continue;
      }
      try {
        return await this.post(address, frame, deadlines, traceparent);
      } catch (error) {
        if (!nothingSent.has((error as { code?: string }).code ?? '')) throw error;
        this.addresses.rest(address, restAfterRefusalMs);
        tried.add(address);
        lastError = error;
      }
    }
    throw lastError;
  }

  private async post(
    address: IngestionAddress,
    frame: Buffer,
    deadlines: { ingestionAtMs: number; gatewayAtMs: number },
    traceparent: string | undefined,
  ): Promise<BatchedAnswer[]> {
    const signal = AbortSignal.timeout(Math.max(1, deadlines.gatewayAtMs - Date.now()));
    address.underWay += 1;
    try {
      const { statusCode, body } = await address.pool.request({
        method: 'POST',
        path: eventBatchPath,
        headers: {
          'content-type': eventBatchContentType,
          [internalTokenHeader]: this.internalToken.header,
          'x-podium-deadline': String(deadlines.ingestionAtMs),
          ...(traceparent !== undefined && { traceparent }),
        },
        body: frame,
        signal,
      });
      const bytes = Buffer.from(await body.arrayBuffer());
      if (statusCode !== 200) throw new Error(`ingestion answered ${statusCode}`);
      return decodeAnswers(bytes);
    } catch (error) {
      if (signal.aborted) this.addresses.rest(address, restAfterTimeoutMs);
      throw error;
    } finally {
      address.underWay -= 1;
    }
  }
}
