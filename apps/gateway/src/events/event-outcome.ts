import { BatchedAnswer, errorCatalogue } from '@podium/messages';

/** `accepted`, `duplicate` or an error code, read from the first bytes of a response; otherwise `other`. */
export function eventOutcome({ status, body }: Pick<BatchedAnswer, 'status' | 'body'>): string {
  const head = body.toString('latin1', 0, 64);
  if (status === 200) return /"outcome":"(accepted|duplicate)"/.exec(head)?.[1] ?? 'other';
  const code = /"code":"([a-z_]+)"/.exec(head)?.[1];
  return code !== undefined && Object.hasOwn(errorCatalogue, code) ? code : 'other';
}
