import { ServerResponse } from 'node:http';
import { maxBatchedReads } from '@podium/messages';
import { maxServiceHeaderBytes } from '@podium/runtime/app';
import { isSampled } from '@podium/runtime/trace';
import { Pool } from 'undici';
import { idleConnections } from '../proxy/idle-connections';
import { UpstreamRequest } from '../proxy/upstream-call';
import { UpstreamPool } from '../proxy/upstream-pool';
import { BatchEnd, BatchableRequest, ReadBatch, WaitingRead } from './read-batch';

/**
 * Connections for batches; while all are in use, reads are sent alone. With `maxBatchedReads` this bounds what a service gets at
 * once: more reads wait here, where those of clients that disconnect are dropped.
 */
const maxBatches = 8;
const connectTimeoutMs = 1_000;
// The batch's own timeout is shorter.
const silenceMs = 60_000;
/** For how long reads are sent alone after the service has refused a batch, as one of a release without batches does. */
const refusedForMs = 10_000;
/** Statuses with which a service that does not know batches refuses one. */
const unknownRoute: ReadonlySet<number> = new Set([404, 405, 415]);

/**
 * Sends reads that come in the same turn of the event loop to their service in one request, because a request of its own costs more
 * in both processes than most reads. Each read has its own response, as soon as the service has answered it. A read that
 * comes alone, that is traced, or that a batch left without an answer is sent by the pool.
 */
export class BatchedReads implements Pick<UpstreamPool, 'pass' | 'isFull' | 'underWay'> {
  private readonly batchPool: Pool;
  private gathered: WaitingRead[] = [];
  private batches = 0;
  private readsInBatches = 0;
  private aloneUntilMs = -Infinity;

  constructor(
    url: string,
    private readonly pool: UpstreamPool,
    private readonly parts: {
      readonly maxUnderWay: number;
      /** Called with the number of reads that are sent in one request. */
      readonly onBatch: (reads: number) => void;
      /** Called when a service that knows batches left reads without an answer. */
      readonly onFailure: (end: BatchEnd) => void;
      /** Monotonic ms. */
      readonly nowMs?: () => number;
    },
  ) {
    this.batchPool = new Pool(url, {
      connections: maxBatches,
      pipelining: 1,
      maxHeaderSize: maxServiceHeaderBytes,
      connect: { timeout: connectTimeoutMs },
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
      ...idleConnections,
    });
  }

  /** Number of reads that wait for their answer. */
  underWay(): number {
    return this.pool.underWay() + this.gathered.length + this.readsInBatches;
  }

  /** Whether one more read would be too many. */
  isFull(): boolean {
    return this.underWay() >= this.parts.maxUnderWay;
  }

  /** As `UpstreamPool.pass`. */
  pass(request: UpstreamRequest, response: ServerResponse): Promise<number | null> {
    if (!fitsBatch(request) || this.nowMs() < this.aloneUntilMs) return this.pool.pass(request, response);
    return new Promise((resolve, reject) => {
      if (this.gathered.length === 0) setImmediate(() => this.send());
      this.gathered.push({ request, response, sinceMs: this.nowMs(), resolve, reject });
    });
  }

  async stop(): Promise<void> {
    await Promise.all([this.batchPool.close(), this.pool.stop()]);
  }

  private send(): void {
    const reads = this.gathered;
    this.gathered = [];
    for (let at = 0; at < reads.length; at += maxBatchedReads) this.sendTogether(reads.slice(at, at + maxBatchedReads));
  }

  private sendTogether(reads: readonly WaitingRead[]): void {
    const awaited = reads.filter(({ response, resolve }) => {
      if (response.destroyed) resolve(null);
      return !response.destroyed;
    });
    if (awaited.length < 2 || this.batches === maxBatches) return awaited.forEach((read) => this.sendAlone(read));
    this.batches += 1;
    this.readsInBatches += awaited.length;
    this.parts.onBatch(awaited.length);
    const batch = new ReadBatch(awaited, {
      sendAlone: (read) => this.sendAlone(read),
      onEnd: (end) => {
        this.batches -= 1;
        this.readsInBatches -= awaited.length;
        if (unknownRoute.has(end.status)) this.aloneUntilMs = this.nowMs() + refusedForMs;
        else if (end.unanswered > 0) this.parts.onFailure(end);
      },
    });
    batch.begin(this.batchPool);
  }

  /** Within what is left of its time. */
  private sendAlone({ request, response, sinceMs, resolve, reject }: WaitingRead): void {
    const answerTimeoutMs = Math.max(1, request.answerTimeoutMs - (this.nowMs() - sinceMs));
    this.pool.pass({ ...request, answerTimeoutMs }, response).then(resolve, reject);
  }

  private nowMs(): number {
    return this.parts.nowMs?.() ?? performance.now();
  }
}

/** A read that is traced has a span of its own in the service. */
function fitsBatch(request: UpstreamRequest): request is BatchableRequest {
  const { method, body, headers } = request;
  if (method !== 'GET' || body !== undefined) return false;
  const { traceparent } = headers;
  if (typeof traceparent === 'string' && isSampled(traceparent)) return false;
  return Object.values(headers).every((value) => typeof value === 'string');
}
