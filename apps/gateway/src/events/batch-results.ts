import { BatchedAnswer } from '@podium/messages';

/** The response to a batch of a partner: 200 only if every event is accepted or a duplicate, otherwise 207. */
export interface BatchResponse {
  readonly status: 200 | 207;
  /** `{"results":[{"status","retry_after"?,"body"}]}` in the order of the events; bodies are unchanged bytes. */
  readonly body: Buffer;
}

/** Writes the response of a batch; each result is what `send` would answer, with its Retry-After as `retry_after`. */
export function batchResponse(answers: readonly BatchedAnswer[]): BatchResponse {
  const parts: Buffer[] = [];
  answers.forEach(({ status, retryAfterS, body }, at) => {
    const retryAfter = retryAfterS > 0 ? `,"retry_after":${retryAfterS}` : '';
    parts.push(Buffer.from(`${at === 0 ? '{"results":[' : '},'}{"status":${status}${retryAfter},"body":`), body);
  });
  parts.push(Buffer.from('}]}'));
  const allHandled = answers.every(({ status }) => status === 200);
  return { status: allHandled ? 200 : 207, body: Buffer.concat(parts) };
}
