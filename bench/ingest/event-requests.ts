import { randomBytes } from 'node:crypto';
import { eventRatePerSecond, maxBatchOf } from '@podium/messages';
import { LoadPlatform, eventName } from './fixture';

/** The body of one event: about 250 bytes, as a partner sends it. */
export function eventBody(platform: string, platformUserId: string, eventId: string, createdAtS: number): string {
  return JSON.stringify({
    platform_user_id: platformUserId,
    platform,
    event: {
      id: eventId,
      name: eventName,
      created_at: createdAtS,
      attributes: [
        { name: 'amount', value: '25.00' },
        { name: 'currency', value: 'EUR' },
      ],
    },
  });
}

/** Events of one request where batches are measured: what a platform may send at once. */
export const batchEvents = maxBatchOf(eventRatePerSecond);

/**
 * Complete HTTP requests as text, each event with a unique id. The constant parts of a user's events are built once, so that
 * the generator uses little CPU.
 */
export class EventRequests {
  private readonly senders: { readonly head: (path: string, bodyBytes: number) => string; readonly events: Parts[] }[];
  private readonly run = randomBytes(8).toString('hex');
  private events = 0;
  private requests = 0;

  constructor(platforms: readonly LoadPlatform[], host: string) {
    const createdAtS = Math.floor(Date.now() / 1000);
    this.senders = platforms.map(({ platform, key, platformUserIds }) => {
      const headers = `host: ${host}\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n`;
      return {
        head: (path, bodyBytes) =>
          `POST /cdp/v1/users/events/${path} HTTP/1.1\r\n${headers}content-length: ${bodyBytes}\r\n\r\n`,
        events: platformUserIds.map((user) => {
          const [head, tail] = eventBody(platform, user, placeholder, createdAtS).split(placeholder);
          return { head, tail };
        }),
      };
    });
  }

  /** A request with one event, as text of one byte per character. */
  nextSingle(): string {
    const { head, events } = this.nextSender();
    const body = this.nextEvent(events);
    return head('send', body.length) + body;
  }

  /** A request with `batchEvents` events of one platform. */
  nextBatch(): string {
    const { head, events } = this.nextSender();
    const bodies = Array.from({ length: batchEvents }, () => this.nextEvent(events));
    const body = `{"events":[${bodies.join(',')}]}`;
    return head('batch', body.length) + body;
  }

  /** Consecutive requests are of different platforms, so that none reaches its rate limit. */
  private nextSender(): EventRequests['senders'][number] {
    return this.senders[this.requests++ % this.senders.length];
  }

  private nextEvent(events: readonly Parts[]): string {
    const { head, tail } = events[Math.floor(this.events / this.senders.length) % events.length];
    this.events += 1;
    return `${head}bench-${this.run}-${this.events.toString(36).padStart(13, '0')}${tail}`;
  }
}

interface Parts {
  readonly head: string;
  readonly tail: string;
}

const placeholder = 'x'.repeat(36);
