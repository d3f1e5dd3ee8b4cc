import { CodedError } from '@podium/messages';

/** The value; throws `not_found` for null, with the reason for the log. */
export function found<T>(value: T | null, internal: string): T {
  return value ?? notFound(internal);
}

/** Throws `not_found`, with the reason for the log. */
export function notFound(internal: string): never {
  throw new CodedError('not_found', { internal });
}
