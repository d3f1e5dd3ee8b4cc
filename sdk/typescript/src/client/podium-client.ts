import { EventsApi, batchBody } from '../api/events-api';
import type { AcceptedEvent, EventResult, FailedEvent } from '../api/parse-answer';
import { EncodedEvent, PartnerEvent, encodeEvent } from '../api/partner-event';
import { PodiumError, QueueError, RefusedError, SdkErrorCode } from '../errors/podium-error';
import { NoticeListener, guarded } from '../notices/notice';
import { longestSleepMs, systemClock } from '../pacing/clock';
import { RatePacer } from '../pacing/rate-pacer';
import { DeadLetterFile } from '../queue/dead-letter-file';
import { EventQueue } from '../queue/event-queue';
import { EventSender } from '../sending/event-sender';
import { ClientSettings, PodiumClientOptions, settingsOf } from './client-options';
import { sdkVersion } from './version';

/** The state of a client, for gauges. */
export interface ClientStats {
  /** Bytes of the queue on disk. */
  readonly queueBytes: number;
  /** Bytes of it that are not in hand yet. */
  readonly unreadBytes: number;
  /** Events that are sent now or soon. */
  readonly inHand: number;
  /** Events that wait until their user is linked or their name negotiated. */
  readonly setAside: number;
  /** The error for which nothing is sent. */
  readonly pausedBy?: PodiumError;
}

/** The largest body of a batch in bytes (docs, Limits), less than 1 MiB. */
const maxBatchBytes = 1_000_000;
const segmentBytes = 8 * 1024 * 1024;
const closingTimeMs = 10_000;

interface QueuedSending {
  readonly queue: EventQueue;
  readonly sender: EventSender;
}

/** Sends events of a partner's users to Podium. */
export class PodiumClient {
  /** What is left of the queue is known when it resolves. */
  private closing?: Promise<boolean>;

  private constructor(
    private readonly settings: ClientSettings,
    private readonly api: EventsApi,
    private readonly queued: QueuedSending | undefined,
  ) {}

  /** Opens a client and, if it has a queue, starts to send what the queue holds. Throws for options that cannot work. */
  static async open(options: PodiumClientOptions): Promise<PodiumClient> {
    const settings = settingsOf(options);
    const { addresses, apiKey, timeoutMs, eventsPerSecond, proxy } = settings;
    const pacer = new RatePacer(systemClock, eventsPerSecond);
    const userAgent = `podium-partner-typescript/${sdkVersion}`;
    const api = new EventsApi({ addresses, apiKey, userAgent, timeoutMs, clock: systemClock, pacer, proxy });
    const queued = await openQueue(settings, api, pacer, guarded(options.onNotice));
    queued?.sender.start();
    return new PodiumClient(settings, api, queued);
  }

  /** Sends one event, once. Resolves when Podium has it; rejects with a PodiumError of the refusal's retry class. */
  async send(event: PartnerEvent, signal?: AbortSignal): Promise<AcceptedEvent> {
    this.requireOpen();
    const result = await this.api.send(encodeEvent(this.settings.platform, event), signal);
    if (!result.ok) throw result.error;
    return result;
  }

  /**
   * Sends events together, once; resolves with a result for each, in order. An event that cannot be sent, for instance because
   * it is larger than 64 KiB, has a RefusedError as its result. Rejects with RefusedError for a batch that is too large, and
   * with QueueError when the client is closed.
   */
  async sendBatch(events: readonly PartnerEvent[], signal?: AbortSignal): Promise<EventResult[]> {
    this.requireOpen();
    const { platform, maxBatch } = this.settings;
    const given = events.map((event) => encodedOrRefused(platform, event));
    const encoded = given.filter((each) => 'body' in each);
    if (events.length > maxBatch || Buffer.byteLength(batchBody(encoded)) > maxBatchBytes)
      throw new RefusedError({
        code: 'batch_too_large',
        message: `A batch has at most ${maxBatch} events and ${maxBatchBytes} bytes. Send several batches, or use enqueue.`,
      });
    const sent = (encoded.length === 0 ? [] : await this.api.sendBatch(encoded, signal)).values();
    return given.map((each) => ('body' in each ? (sent.next().value as EventResult) : each));
  }

  /**
   * Hands an event over to the queue. Resolves when it is on disk; from then on it is sent until Podium has it, also after
   * the process was killed. Rejects with QueueError when it is not stored, with RefusedError when it never can be.
   */
  async enqueue(event: PartnerEvent): Promise<void> {
    this.requireOpen();
    if (!this.queued) throw queueError('queue_missing', 'This client has no queue: open it with the option queue.');
    await this.queued.queue.append(encodeEvent(this.settings.platform, event));
    this.queued.sender.wake();
  }

  /** Ends a pause at once, for instance when the key was replaced; otherwise one event is tried every few minutes. */
  resume(): void {
    this.queued?.sender.resume();
  }

  stats(): ClientStats {
    if (!this.queued) return { queueBytes: 0, unreadBytes: 0, inHand: 0, setAside: 0 };
    const { queue, sender } = this.queued;
    return {
      queueBytes: queue.bytes,
      unreadBytes: queue.unreadBytes,
      inHand: sender.inHand.size,
      setAside: sender.setAside.size,
      pausedBy: sender.paused,
    };
  }

  /**
   * Sends what can be sent, for at most a time (`Infinity`: no limit), then closes everything. What is left stays on disk
   * for the next client of the folder. Resolves with whether nothing is left; a further call, with the result of the first
   * one.
   */
  close({ deadlineMs = closingTimeMs }: { readonly deadlineMs?: number | undefined } = {}): Promise<boolean> {
    return (this.closing ??= this.closeIn(deadlineMs));
  }

  private async closeIn(deadlineMs: number): Promise<boolean> {
    let isEmpty = true;
    if (this.queued) {
      const { queue, sender } = this.queued;
      await queue.finishAppending();
      const deadline = new AbortController();
      const timer = setTimeout(() => deadline.abort(), Math.min(deadlineMs, longestSleepMs));
      await sender.drain(deadline.signal);
      clearTimeout(timer);
      isEmpty = queue.isEmpty;
      await queue.close();
    }
    this.api.close();
    return isEmpty;
  }

  private requireOpen(): void {
    if (this.closing) throw queueError('client_closed', 'This client is closed: open a new one.');
  }
}

async function openQueue(
  { queue: options, maxBatch, platform }: ClientSettings,
  api: EventsApi,
  pacer: RatePacer,
  notify: NoticeListener,
): Promise<QueuedSending | undefined> {
  if (!options) return undefined;
  const queue = await EventQueue.open({
    ...options,
    segmentBytes,
    onClaimed: (segments, bytes) => notify({ type: 'claimed', level: 'info', segments, bytes }),
    onTornLine: (bytes) => notify({ type: 'torn_line', level: 'warn', bytes }),
    onDamagedFile: (path) => notify({ type: 'damaged_file', level: 'error', path }),
    onUnreadable: (error) => notify({ type: 'queue_failed', level: 'error', error }),
  });
  const sender = new EventSender({
    queue,
    deadLetters: DeadLetterFile.in(options.folder),
    send: (events, signal) => api.sendBatch(events, signal),
    platform,
    limits: { maxEvents: () => Math.min(maxBatch, pacer.mostAtOnce), maxBytes: maxBatchBytes },
    clock: systemClock,
    random: Math.random,
    notify,
  });
  return { queue, sender };
}

/** An event as it is sent, or the result of one that cannot be. */
function encodedOrRefused(platform: string, event: PartnerEvent): EncodedEvent | FailedEvent {
  try {
    return encodeEvent(platform, event);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return { ok: false, eventId: String(event.id), error };
  }
}

function queueError(code: SdkErrorCode, message: string): QueueError {
  return new QueueError({ code, message });
}
