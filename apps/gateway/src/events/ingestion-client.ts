import { setTimeout as sleep } from 'node:timers/promises';
import { BatchedAnswer, BatchedEvent, CodedError, encodeEvents, eventBatchPath } from '@podium/messages';
import { InternalToken } from '@podium/runtime/http';
import { BatchCarrier, BatchDeadlines } from './event-batches';
import { IngestionAddress } from './ingestion-address';
import { IngestionAddresses } from './ingestion-addresses';
import { NothingProducedError, OutcomeUnknownError, postBatch } from './post-batch';

const batchesPerAddress = 2;
const restAfterTimeoutMs = 5_000;
const pauseBetweenRoundsMs = 100;
// An outage of a dependency of all instances must not multiply the load.
const maxInstancesAsked = 3;

/**
 * Sends batches to ingestion. An address that does not serve a batch counts as failed, and another one gets the events that
 * are certainly not produced. Events that may be produced are never sent again.
 */
export class IngestionClient implements BatchCarrier {
  constructor(
    private readonly addresses: IngestionAddresses,
    private readonly internalToken: InternalToken,
    private readonly path: string = eventBatchPath,
  ) {}

  maxInFlight(): number {
    return Math.max(2, this.addresses.size() * batchesPerAddress);
  }

  /** Responses in the order of the events; rejects when the outcome is unknown or no address took the batch by the deadline. */
  async carry(
    events: readonly BatchedEvent[],
    deadlines: BatchDeadlines,
    traceparent?: string,
  ): Promise<readonly BatchedAnswer[]> {
    const answers: BatchedAnswer[] = [];
    const tried = new Set<IngestionAddress>();
    // Events that no instance has produced, by index.
    let open = events.map((_event, at) => at);
    let asked = 0;
    let lastError: unknown = new Error('ingestion has no address');
    while (performance.now() < deadlines.ingestionAtMs) {
      const address = this.addresses.pick(tried);
      if (!address) {
        if (asked > 0) break;
        tried.clear();
        await sleep(pauseBetweenRoundsMs);
        continue;
      }
      tried.add(address);
      try {
        const frame = encodeEvents(open.map((at) => events[at]));
        const given = await this.post(address, { frame, events: open.length, deadlines, traceparent });
        asked += 1;
        open.forEach((at, index) => (answers[at] = given.answers[index]));
        open = given.notProduced ? open.filter((at) => answers[at].status >= 500) : [];
      } catch (error) {
        if (!(error instanceof NothingProducedError)) {
          // Responses of other instances are kept. The others are 503 already, which also means that the outcome is unknown.
          if (answers.length > 0) break;
          throw error;
        }
        if (error.wasAsked) asked += 1;
        lastError = error.wasOverloaded ? new CodedError('overloaded', { cause: error }) : error;
      }
      if (open.length === 0 || asked === maxInstancesAsked) break;
    }
    if (answers.length < events.length) throw lastError;
    return answers;
  }

  private async post(
    address: IngestionAddress,
    batch: Omit<Parameters<typeof postBatch>[1], 'internalToken' | 'path'>,
  ): ReturnType<typeof postBatch> {
    address.underWay += 1;
    try {
      const given = await postBatch(address.pool, {
        ...batch,
        path: this.path,
        internalToken: this.internalToken.header,
      });
      const failing = given.answers.filter(({ status }) => status >= 500).length;
      if (failing * 2 > given.answers.length) this.addresses.failed(address);
      else address.succeeded();
      return given;
    } catch (error) {
      const hung = error instanceof OutcomeUnknownError && error.timedOut;
      this.addresses.failed(address, hung ? restAfterTimeoutMs : undefined);
      throw error;
    } finally {
      address.underWay -= 1;
    }
  }
}
