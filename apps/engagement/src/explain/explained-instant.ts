import { CodedError, parseTyped } from '@podium/messages';
import { timeOf } from '../definitions/check-value';

const billion = 1_000_000_000n;

/**
 * Unix seconds of the instant that is asked for; now without one. A fraction is cut off, as of `received_at` (docs/engine.md,
 * reading 1): rounded up, the current time would be ahead. Throws `invalid_request` for what is no time of the past or of now.
 */
export function explainedInstant(at: string | undefined, nowMs: number): number {
  const nowS = Math.floor(nowMs / 1000);
  if (at === undefined) return nowS;
  const atS = readTime(at);
  if (atS === null)
    throw new CodedError('invalid_request', {
      message: 'at: must be an ISO 8601 time with its offset, for example 2026-12-01T00:00:00Z',
    });
  if (atS > nowS) throw new CodedError('invalid_request', { message: 'at: must not be later than now' });
  return atS;
}

function readTime(at: string): number | null {
  try {
    timeOf(at, 'at');
    const billionths = parseTyped('timestamp', at);
    return typeof billionths !== 'bigint' || billionths < 0n ? null : Number(billionths / billion);
  } catch (error) {
    if (error instanceof CodedError) return null;
    throw error;
  }
}
