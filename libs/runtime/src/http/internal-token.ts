import { hash, timingSafeEqual } from 'node:crypto';
import { CodedError } from '@podium/messages';

/** Header by which the gateway proves that a request and its identity headers are its own. */
export const internalTokenHeader = 'x-podium-internal-token';

/** Checks the internal token in constant time; two are accepted during a rotation. */
export class InternalToken {
  private readonly digests: Buffer[];

  constructor(tokens: string) {
    this.digests = tokens.split(',').map((token) => digest(token.trim()));
  }

  /** Throws `unauthorized` unless the header holds a token in force. */
  require(header: string | string[] | undefined): void {
    const given = digest(typeof header === 'string' ? header : '');
    const known = this.digests.map((expected) => timingSafeEqual(expected, given)).includes(true);
    if (!known) throw new CodedError('unauthorized', { internal: 'the internal token is missing or wrong' });
  }
}

/** The token to send, the first of those configured. */
export function currentInternalToken(tokens: string): string {
  return tokens.split(',')[0].trim();
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
