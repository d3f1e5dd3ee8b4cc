/** The target of a case, with the parts of a valid request. */
export interface HttpPlace {
  readonly method: string;
  readonly path: string;
  readonly host: string;
  /** Header lines that the route requires: a key, a media type. */
  readonly headers: readonly string[];
  readonly body: string;
}

/** The bytes of a request and the allowed responses. */
export interface HttpCase {
  readonly name: string;
  readonly bytes: (place: HttpPlace) => Buffer;
  /**
   * `refused`: a 4XX, then the connection is closed. `ended`: a response below 500, perhaps before the error was detected, then
   * the connection is closed. `any`: any response below 500. `closed`: any response below 500, or none.
   */
  readonly expect: 'refused' | 'ended' | 'any' | 'closed';
  /** The maximum number of responses, 1 by default: one more would answer a smuggled request. */
  readonly maxAnswers?: number;
}

/** A request inside a body: a response to it shows that the body was read as a request. */
export const smuggled = 'GET /docs/smuggled HTTP/1.1\r\nHost: a\r\n\r\n';

/** Builds a request; the given lines define the framing of the body. */
export function request(place: HttpPlace, lines: readonly string[], body: string): Buffer {
  const head = [`${place.method} ${place.path} HTTP/1.1`, `Host: ${place.host}`, ...place.headers, ...lines];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`, 'latin1');
}

/** The Content-Length line of a body. */
export function lengthOf(body: string): string {
  return `Content-Length: ${Buffer.byteLength(body)}`;
}

/** A case whose body is framed by the given lines. */
export function withLines(
  name: string,
  lines: readonly string[],
  body: string,
  expect: HttpCase['expect'] = 'refused',
): HttpCase {
  return { name, expect, bytes: (place) => request(place, lines, body) };
}

/** A case with a valid request and additional header lines. */
export function added(name: string, lines: readonly string[], expect: HttpCase['expect']): HttpCase {
  return { name, expect, bytes: (place) => request(place, [...lines, lengthOf(place.body)], place.body) };
}
