import { Exchange } from './exchange';
import { readBody } from './read-body';
import { Refusal, refusalOf } from './refusal';
import { announcedBytes } from './respond';

const refusals = {
  tooLarge: refusalOf('payload_too_large'),
  tooSlow: refusalOf('request_timeout'),
};

/**
 * Discards the body of a request that has no use for one, and returns the refusal of a long one. Node discards a body of an
 * announced length after the response. The length of a chunked one, which may be empty, is known only at its end.
 */
export async function unwantedBody({ request, startedMs, limits }: Exchange): Promise<Refusal | undefined> {
  const announced = announcedBytes(request);
  if (announced !== Infinity) return announced > limits.maxBodyBytes ? refusals.tooLarge : undefined;
  const { maxBodyBytes: maxBytes, bodyTimeoutMs } = limits;
  const timeoutMs = startedMs + bodyTimeoutMs - performance.now();
  const read = await readBody(request, { maxBytes, timeoutMs, isUnwanted: true });
  if (read === 'too_large') return refusals.tooLarge;
  return read === 'too_slow' ? refusals.tooSlow : undefined;
}
