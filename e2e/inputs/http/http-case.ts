/** Where a case is sent: the bytes of a request that would be right there. */
export interface HttpPlace {
  readonly method: string;
  readonly path: string;
  readonly host: string;
  /** Header lines that the place needs: a key, a media type. */
  readonly headers: readonly string[];
  readonly body: string;
}

/** A request that is written as bytes, and what may come back. */
export interface HttpCase {
  readonly name: string;
  readonly bytes: (place: HttpPlace) => Buffer;
  /**
   * `refused`: a 4XX, then the connection is closed. `ended`: an answer below 500, perhaps before the fault was seen, then the
   * connection is closed. `any`: whatever the place answers below 500. `closed`: or nothing.
   */
  readonly expect: 'refused' | 'ended' | 'any' | 'closed';
  /** Most answers that may come: one more would be to a request that was smuggled in. 1 unless given. */
  readonly maxAnswers?: number;
}

/** A request whose answer would show that the body of another one was read as a request. */
export const smuggled = 'GET /docs/smuggled HTTP/1.1\r\nHost: a\r\n\r\n';

/** A request with its lines; the ones given replace those of the place that frame the body. */
export function request(place: HttpPlace, lines: readonly string[], body: string): Buffer {
  const head = [`${place.method} ${place.path} HTTP/1.1`, `Host: ${place.host}`, ...place.headers, ...lines];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`, 'latin1');
}

/** The header line with the length of a body. */
export function lengthOf(body: string): string {
  return `Content-Length: ${Buffer.byteLength(body)}`;
}

/** A request whose body is framed by the given lines. */
export function withLines(
  name: string,
  lines: readonly string[],
  body: string,
  expect: HttpCase['expect'] = 'refused',
): HttpCase {
  return { name, expect, bytes: (place) => request(place, lines, body) };
}

/** A right request with more header lines. */
export function added(name: string, lines: readonly string[], expect: HttpCase['expect']): HttpCase {
  return { name, expect, bytes: (place) => request(place, [...lines, lengthOf(place.body)], place.body) };
}
