/** An answer that is no success. */
export class AnswerError extends Error {
  constructor(
    request: string,
    readonly status: number,
    text: string,
  ) {
    super(`${request} answered ${status}: ${text.slice(0, 500)}`);
    this.name = 'AnswerError';
  }
}

/** A JSON request of the seed; anything but success is an `AnswerError`. */
export async function call<T>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  options: { token?: string; cookie?: string; body?: unknown } = {},
): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
      ...(options.cookie ? { cookie: options.cookie } : {}),
    },
    body: options.body === undefined ? undefined : JSON.stringify(options.body),
    signal: AbortSignal.timeout(20_000),
  });
  const text = await response.text();
  if (!response.ok) throw new AnswerError(`${method} ${url}`, response.status, text);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** Polls until there is a result, for at most the given time. */
export async function until<T>(what: string, timeoutMs: number, ask: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > end) throw new Error(`${what} did not happen within ${timeoutMs / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
