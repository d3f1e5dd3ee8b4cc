import { ServerResponse } from 'node:http';
import { maxBatchedReads } from '@podium/messages';
import { isSampled } from '@podium/runtime/trace';
import { LRUCache } from 'lru-cache';
import { UpstreamRequest } from '../proxy/upstream-call';
import { UpstreamPool } from '../proxy/upstream-pool';
import { BatchConnections } from './batch-connections';
import { BatchEnd, BatchableRequest, ReadBatch, WaitingRead } from './read-batch';

/**
 * Most batches under way; beyond that, reads are sent alone. With `maxBatchedReads` this bounds what a service gets at once: more
 * reads wait here, where those of clients that disconnect are dropped.
 */
const maxBatches = 8;
/** For how long reads are sent alone after the service has refused a batch, as one of a release without batches does. */
const refusedForMs = 10_000;
/** Statuses with which a service that does not know batches refuses one. */
const unknownRoute: ReadonlySet<number> = new Set([404, 405, 415]);
/** Paths whose responses were too large for a batch, and for how long they are sent alone: each would be made twice. */
const largePaths = { max: 1_000, ttl: 60_000 } as const;

/** Receives what happens to reads that come together. */
export interface BatchReports {
  /** So many reads are sent in one request. */
  readonly onBatch: (reads: number) => void;
  /** The response to a read is too large for a batch; it is sent again alone. */
  readonly onLarge: () => void;
  /** A service that knows batches left reads without an answer; they are sent again alone. */
  readonly onFailure: (end: BatchEnd) => void;
}

/**
 * Sends reads that come in the same turn of the event loop to their service in one request, because a request of its own costs more
 * in both processes than most reads. Each read has its own response, as soon as the service has answered it. A read that
 * comes alone, that is traced, or that a batch left without an answer is sent by the pool.
 */
export class BatchedReads implements Pick<UpstreamPool, 'pass' | 'isFull' | 'underWay'> {
  private readonly connections: BatchConnections;
  private readonly large = new LRUCache<string, true>(largePaths);
  private readonly nowMs: () => number;
  private gathered: WaitingRead[] = [];
  private waitingInBatches = 0;
  private aloneUntilMs = -Infinity;

  constructor(
    url: string,
    private readonly pool: UpstreamPool,
    private readonly parts: BatchReports & {
      readonly maxUnderWay: number;
      /** Monotonic ms. */
      readonly nowMs?: () => number;
    },
  ) {
    this.nowMs = parts.nowMs ?? (() => performance.now());
    this.connections = new BatchConnections(url, maxBatches, this.nowMs);
  }

  /** Number of reads that wait for their answer. */
  underWay(): number {
    return this.pool.underWay() + this.gathered.length + this.waitingInBatches;
  }

  /** Whether one more read would be too many. */
  isFull(): boolean {
    return this.underWay() >= this.parts.maxUnderWay;
  }

  /** As `UpstreamPool.pass`. */
  pass(request: UpstreamRequest, response: ServerResponse): Promise<number | null> {
    if (!this.maySendTogether(request)) return this.pool.pass(request, response);
    return new Promise((resolve, reject) => {
      if (this.gathered.length === 0) setImmediate(() => this.send());
      this.gathered.push({ request, response, sinceMs: this.nowMs(), resolve, reject });
    });
  }

  async stop(): Promise<void> {
    await Promise.all([this.connections.close(), this.pool.stop()]);
  }

  private maySendTogether(request: UpstreamRequest): request is BatchableRequest {
    if (this.nowMs() < this.aloneUntilMs || !fitsBatch(request)) return false;
    return this.large.size === 0 || !this.large.has(pathOf(request));
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
    const connection = awaited.length < 2 ? undefined : this.connections.take();
    if (connection === undefined) return awaited.forEach((read) => this.sendAlone(read));
    this.waitingInBatches += awaited.length;
    this.parts.onBatch(awaited.length);
    const batch = new ReadBatch(awaited, {
      onSettled: () => (this.waitingInBatches -= 1),
      onLarge: (read) => {
        this.large.set(pathOf(read.request), true);
        this.parts.onLarge();
        this.sendAlone(read);
      },
      sendAlone: (read) => this.sendAlone(read),
      onEnd: (end) => {
        connection.release();
        if (unknownRoute.has(end.status)) this.aloneUntilMs = this.nowMs() + refusedForMs;
        else if (end.unanswered > 0) this.parts.onFailure(end);
      },
    });
    batch.begin(connection.client);
  }

  /** Within what is left of its time. */
  private sendAlone({ request, response, sinceMs, resolve, reject }: WaitingRead): void {
    const answerTimeoutMs = Math.max(1, request.answerTimeoutMs - (this.nowMs() - sinceMs));
    this.pool.pass({ ...request, answerTimeoutMs }, response).then(resolve, reject);
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

function pathOf({ target }: UpstreamRequest): string {
  const query = target.indexOf('?');
  return query < 0 ? target : target.slice(0, query);
}
