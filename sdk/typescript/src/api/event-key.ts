import { NoAnswerError, PodiumError, SendingPausedError } from '../errors/podium-error';

/** Whether a text can be an event key: one word of ASCII characters, which a header can carry. */
export function isEventKey(text: unknown): text is string {
  return typeof text === 'string' && /^[\x21-\x7e]+$/.test(text);
}

/**
 * The headers of one request, with the key that is in force now. A key that cannot be one is a SendingPausedError
 * `key_unusable`: no request with it can succeed. A function that throws is a NoAnswerError: it may succeed at the next
 * request. Neither error has a part of the key, nor a cause, because the text of the cause may contain the key.
 */
export function headersOf(apiKey: () => string, userAgent: string): Record<string, string> | PodiumError {
  let key: unknown;
  try {
    key = apiKey();
  } catch (error) {
    const kind = error instanceof Error ? error.constructor.name : typeof error;
    const message = `The key could not be read (${kind}). Nothing was sent; send it again.`;
    return new NoAnswerError({ code: 'no_response', message });
  }
  if (isEventKey(key)) return { authorization: `Bearer ${key}`, 'user-agent': userAgent };
  const message = 'The event key is empty or has characters that a key never has. Give the key as you received it.';
  return new SendingPausedError({ code: 'key_unusable', message });
}
