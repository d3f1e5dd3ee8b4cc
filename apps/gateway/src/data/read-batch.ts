import { ServerResponse } from 'node:http';
import { ReadAnswer, ReadAnswers, encodeReads, readBatchContentType, readBatchPath, sendAlone } from '@podium/messages';
import { internalTokenHeader } from '@podium/runtime/http';
import { Dispatcher } from 'undici';
import { passedHeaders } from '../proxy/passed-headers';
import { UpstreamRequest, UpstreamTimeoutError } from '../proxy/upstream-call';

/** A request that can be one of a batch. */
export interface BatchableRequest extends UpstreamRequest {
  readonly headers: Readonly<Record<string, string>>;
}

/** A read that waits for its answer. */
export interface WaitingRead {
  readonly request: BatchableRequest;
  /** Monotonic ms at which its time began. */
  readonly sinceMs: number;
  readonly response: ServerResponse;
  readonly resolve: (status: number | null) => void;
  readonly reject: (error: Error) => void;
}

/** A read of a batch; it is left out once it is settled. */
interface Entry {
  readonly read: WaitingRead;
  readonly onClientClose: () => void;
}

/** How a batch ended. */
export interface BatchEnd {
  /** The status of the response to the batch; 0 when there was none. */
  readonly status: number;
  /** Number of reads without an answer, which are sent alone. */
  readonly unanswered: number;
  readonly error?: Error;
}

/** A batch of reads, sent to the service in one request. Every read is settled or handed over to be sent alone, exactly once. */
export class ReadBatch implements Dispatcher.DispatchHandler {
  private readonly entries: (Entry | undefined)[];
  private readonly answers = new ReadAnswers((answer, body) => this.settle(answer, body));
  private controller: Dispatcher.DispatchController | undefined;
  private status = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly reads: readonly WaitingRead[],
    private readonly outcome: {
      /** Called for each read that no longer waits for the batch. */
      readonly onSettled: () => void;
      /** Takes over a read whose response is too large for a batch, and is to be sent alone. */
      readonly onLarge: (read: WaitingRead) => void;
      /** Takes over a read that has no answer, and is to be sent alone. */
      readonly sendAlone: (read: WaitingRead) => void;
      /** Called once, when the connection of the batch is free. */
      readonly onEnd: (end: BatchEnd) => void;
    },
  ) {
    this.entries = reads.map((read, place) => {
      const onClientClose = (): void => this.drop(place);
      read.response.once('close', onClientClose);
      return { read, onClientClose };
    });
    const longestMs = Math.max(...reads.map(({ request }) => request.answerTimeoutMs));
    this.timer = setTimeout(() => this.expire(), longestMs);
  }

  /** Sends the batch. */
  begin(dispatcher: Dispatcher): void {
    const requests = this.reads.map(({ request }) => request);
    const [{ headers }] = requests;
    dispatcher.dispatch(
      {
        method: 'POST',
        path: readBatchPath,
        headers: {
          'content-type': readBatchContentType,
          [internalTokenHeader]: headers[internalTokenHeader],
          ...(headers.traceparent !== undefined && { traceparent: headers.traceparent }),
        },
        body: encodeReads(requests.map(({ target, headers: own }) => ({ target, headers: own }))),
      },
      this,
    );
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (!this.isAwaited()) controller.abort(new Error('no read of the batch is awaited any more'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    if (status >= 200) this.status = status;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.status !== 200) return;
    try {
      this.answers.add(chunk);
    } catch (error) {
      controller.abort(error as Error);
    }
  }

  onResponseEnd(): void {
    this.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.end(error);
  }

  private settle({ place, status, headers }: ReadAnswer, body: Buffer): void {
    const entry = this.take(place);
    if (entry === undefined) return;
    const { read } = entry;
    const { request, response } = read;
    if (status === sendAlone) return this.outcome.onLarge(read);
    // The service's 401 is about the gateway: what follows from it is the same as for a read that was sent alone.
    if (status === 401) return this.outcome.sendAlone(read);
    if (response.destroyed) return read.resolve(null);
    try {
      response.writeHead(status, passedHeaders(status, request.answerHeaders, headers));
    } catch (error) {
      // A status or a header that cannot be sent fails its own read alone.
      return read.reject(error as Error);
    }
    response.end(bodyToKeep(body));
    read.resolve(status);
  }

  /** Removes a read from those that wait. */
  private take(place: number): Entry | undefined {
    const entry = this.entries[place];
    if (entry === undefined) return undefined;
    this.entries[place] = undefined;
    entry.read.response.off('close', entry.onClientClose);
    this.outcome.onSettled();
    return entry;
  }

  /** The client has disconnected. */
  private drop(place: number): void {
    this.take(place)?.read.resolve(null);
    if (!this.isAwaited()) this.controller?.abort(new Error('the clients disconnected'));
  }

  private expire(): void {
    for (let place = 0; place < this.entries.length; place++)
      this.take(place)?.read.reject(new UpstreamTimeoutError('no answer in time'));
    this.controller?.abort(new UpstreamTimeoutError('no answer in time'));
  }

  /** Without an answer reads are repeated: they change nothing. */
  private end(error?: Error): void {
    clearTimeout(this.timer);
    const unanswered = this.entries.filter((entry) => entry !== undefined).length;
    this.outcome.onEnd({ status: this.status, unanswered, error });
    for (let place = 0; place < this.entries.length; place++) {
      const entry = this.take(place);
      if (entry) this.outcome.sendAlone(entry.read);
    }
  }

  private isAwaited(): boolean {
    return this.entries.some((entry) => entry !== undefined);
  }
}

/** A body that a slow client leaves unread must not keep the whole chunk of answers in memory. */
function bodyToKeep(body: Buffer): Buffer {
  return body.length * 2 < body.buffer.byteLength ? Buffer.from(body) : body;
}
