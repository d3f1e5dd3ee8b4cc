import { randomBytes } from 'node:crypto';
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

const idLength = 36;

/**
 * Complete HTTP requests as text, each with a unique event id. The constant parts of a user's requests are built once, so that
 * the generator uses little CPU.
 */
export class EventRequests {
  private readonly parts: { head: string; tail: string }[] = [];
  private readonly run = randomBytes(8).toString('hex');
  private count = 0;

  constructor(platforms: readonly LoadPlatform[], host: string) {
    const placeholder = 'x'.repeat(idLength);
    const createdAtS = Math.floor(Date.now() / 1000);
    const users = platforms[0].platformUserIds.length;
    // Consecutive requests are of different platforms, so that none reaches its rate limit.
    for (let user = 0; user < users; user++)
      for (const { platform, key, platformUserIds } of platforms) {
        const body = eventBody(platform, platformUserIds[user], placeholder, createdAtS);
        const request =
          `POST /cdp/v1/users/events/send HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key}\r\n` +
          `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
        const at = request.indexOf(placeholder);
        this.parts.push({ head: request.slice(0, at), tail: request.slice(at + idLength) });
      }
  }

  /** The next request, as text of one byte per character. */
  next(): string {
    const { head, tail } = this.parts[this.count % this.parts.length];
    this.count += 1;
    return `${head}bench-${this.run}-${this.count.toString(36).padStart(13, '0')}${tail}`;
  }
}
