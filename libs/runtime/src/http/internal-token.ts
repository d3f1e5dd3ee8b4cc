import { hash, timingSafeEqual } from 'node:crypto';
import { CodedError } from '@podium/messages';
import { Live } from '../config';

/** Header by which the gateway authenticates its requests and their identity headers. */
export const internalTokenHeader = 'x-podium-internal-token';

/**
 * The internal token. During a rotation there are two: the gateway sends both, and one known token is enough. So instances
 * may learn the new token in any order.
 */
export class InternalToken {
  private known: KnownTokens | undefined;

  constructor(private readonly tokens: Live<readonly string[]>) {}

  /** The header's value. */
  get header(): string {
    return this.present().header;
  }

  /** Throws `unauthorized` unless the header holds a token in force. */
  require(header: string | string[] | undefined): void {
    if (!this.isHeldBy(header))
      throw new CodedError('unauthorized', { internal: 'the internal token is missing or wrong' });
  }

  /** Whether the header holds a token in force; compares in constant time. */
  isHeldBy(header: string | string[] | undefined): boolean {
    const text = typeof header === 'string' ? header : '';
    const { digests, bytes } = this.present();
    // Nearly all requests: without the digests, which take several times as long. Only the length may be learnt from the time.
    const whole = Buffer.from(text);
    if (whole.length === bytes.length && whole.length > 0 && timingSafeEqual(whole, bytes)) return true;
    const given = text.split(',', maxGiven).map((token) => digest(token.trim()));
    const matches = given.flatMap((each) => digests.map((expected) => timingSafeEqual(expected, each)));
    return matches.includes(true);
  }

  private present(): KnownTokens {
    const tokens = this.tokens.current;
    if (this.known?.tokens !== tokens) {
      const header = tokens.join(',');
      this.known = { tokens, digests: tokens.map(digest), header, bytes: Buffer.from(header) };
    }
    return this.known;
  }
}

interface KnownTokens {
  readonly tokens: readonly string[];
  readonly digests: readonly Buffer[];
  readonly header: string;
  /** Of the header. */
  readonly bytes: Buffer;
}

const maxGiven = 4;

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
