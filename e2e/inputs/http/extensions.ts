import { HttpCase, HttpPlace, added, lengthOf, request } from './http-case';

/** Methods, upgrades, expectations, codings and media types that a route may not support. */
export function extensions(): HttpCase[] {
  const methods = [
    'TRACE',
    'TRACK',
    'CONNECT',
    'PROPFIND',
    'PURGE',
    'M-SEARCH',
    'get',
    'GETT',
    'G ET',
    'OPTIONS',
    'HEAD',
    'PUT',
    'DELETE',
    'PATCH',
    'QUERY',
    'LINK',
  ];
  return [
    ...methods.map((method): HttpCase => ({
      name: `the method ${method}`,
      expect: 'closed',
      bytes: (place) => request({ ...place, method }, [], ''),
    })),
    {
      name: 'CONNECT to another host',
      expect: 'refused',
      bytes: () => Buffer.from('CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\nbytes'),
    },
    added(
      'an upgrade to h2c',
      ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA'],
      'any',
    ),
    added(
      'an upgrade to a web socket',
      ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: dGhlIHNhbXBsZQ==', 'Sec-WebSocket-Version: 13'],
      'any',
    ),
    added('a supported expectation', ['Expect: 100-continue'], 'any'),
    added('an unknown expectation', ['Expect: 200-ok'], 'refused'),
    added('an expectation twice', ['Expect: 100-continue', 'Expect: x'], 'any'),
    ...['gzip', 'br', 'identity, gzip', 'x', ''].map((coding) =>
      added(`the content coding ${JSON.stringify(coding)}`, [`Content-Encoding: ${coding}`], 'any'),
    ),
    ...[
      'text/plain',
      'application/json; charset=utf-16',
      'application/json;charset="',
      ';',
      'a/b/c',
      'multipart/form-data',
      'application/x-www-form-urlencoded',
      '\xff',
    ].map((type): HttpCase => ({
      name: `the media type ${JSON.stringify(type)}`,
      expect: 'any',
      bytes: (place) =>
        request(
          { ...place, headers: place.headers.filter((line) => !/^content-type/i.test(line)) },
          [`Content-Type: ${type}`, lengthOf(place.body)],
          place.body,
        ),
    })),
  ];
}

/** Several requests in one write, and requests with a wrong length. */
export function pipelines(): HttpCase[] {
  const times = 20;
  const piped = (name: string, bytes: (place: HttpPlace) => Buffer): HttpCase => ({
    name,
    expect: 'any',
    maxAnswers: times,
    bytes,
  });
  return [
    piped('twenty requests at once', (place) =>
      Buffer.concat(Array.from({ length: times }, () => request(place, [lengthOf(place.body)], place.body))),
    ),
    piped('an invalid request before a valid one', (place) =>
      Buffer.concat([
        request({ ...place, headers: [] }, [lengthOf('x'.repeat(900))], 'x'.repeat(900)),
        request(place, [lengthOf(place.body)], place.body),
      ]),
    ),
    piped('bytes after a request', (place) =>
      Buffer.concat([request(place, [lengthOf(place.body)], place.body), Buffer.from('\0\0garbage\r\n\r\n')]),
    ),
    { name: 'a truncated body', expect: 'closed', bytes: (place) => request(place, ['Content-Length: 5'], 'ab') },
  ];
}
