import { BatchedAnswer, errorCatalogue } from '@podium/messages';

const accepted = '{"outcome":"accepted"';

/** `accepted`, `duplicate` or an error code, read from the first bytes of a response; otherwise `other`. */
export function eventOutcome({ status, body }: Pick<BatchedAnswer, 'status' | 'body'>): string {
  // Nearly all events are accepted; this runs for every event, and a pattern costs more.
  if (status === 200 && body.toString('latin1', 0, accepted.length) === accepted) return 'accepted';
  const head = body.toString('latin1', 0, 64);
  if (status === 200) return /"outcome":"(accepted|duplicate)"/.exec(head)?.[1] ?? 'other';
  const code = /"code":"([a-z_]+)"/.exec(head)?.[1];
  return code !== undefined && Object.hasOwn(errorCatalogue, code) ? code : 'other';
}
