import { HttpCase, added, lengthOf, request } from './http-case';

/** Malformed and unusual header lines. */
export function headerSyntax(): HttpCase[] {
  const broken = [
    'no colon',
    'a b: c',
    '(x): y',
    'x@y: z',
    ': empty',
    ' : space',
    '"x": y',
    'x\0: y',
    'x: y\0z',
    'x: y\rz',
    'é: y',
    'x: \x7f',
    '\tx: y',
    'x\x01: y',
  ];
  const odd = [
    'x: é',
    'x: \xff\xfe',
    'x:',
    'x:    ',
    'x: y\tz',
    `cookie: ${'a=b; '.repeat(200)}`,
    'x-http-method-override: DELETE',
    'x-original-url: /admin',
    'forwarded: for=evil',
    'x-forwarded-for: 1.2.3.4, , ,',
    'x-podium-internal-token: x',
    'x-podium-scopes: all',
    'content-length-x: 5',
    'accept: */*;q=9',
    'accept-encoding: gzip;q=a',
    'range: bytes=0-18446744073709551615',
    'if-none-match: "',
    'authorization: Bearer',
    `authorization: Bearer ${'x'.repeat(5_000)}`,
    'connection: close, x-request-id',
    'connection: authorization, host',
    'te: trailers',
    'x-request-id: \'"<>',
    'traceparent: zz',
    'origin: null',
    'host-x: a',
  ];
  return [
    ...broken.map((line) =>
      added(`the header line ${JSON.stringify(line)}`, [line], line.includes('\x7f') ? 'any' : 'refused'),
    ),
    ...odd.map((line) => added(`the header line ${JSON.stringify(line.slice(0, 40))}`, [line], 'any')),
    added('a folded header line', ['x: y', ' z'], 'any'),
    added('two Host headers', ['Host: b'], 'refused'),
    ...['', 'a b', 'a,b', '@', 'a:99999999', '[::1', '/'].map((host): HttpCase => ({
      name: `the host ${JSON.stringify(host)}`,
      expect: 'any',
      bytes: (place) => request({ ...place, host }, [lengthOf(place.body)], place.body),
    })),
    {
      name: 'no Host header',
      expect: 'refused',
      bytes: (place) => Buffer.from(`${place.method} ${place.path} HTTP/1.1\r\n${lengthOf('')}\r\n\r\n`),
    },
  ];
}

/** Oversized heads and bodies. */
export function sizes(): HttpCase[] {
  return [
    added('one header of 20 KB', [`x: ${'y'.repeat(20_000)}`], 'refused'),
    added('a header name of 20 KB', [`${'x'.repeat(20_000)}: y`], 'refused'),
    added('150 headers', Array<string>(150).fill('a: b'), 'refused'),
    added('5,000 headers', Array<string>(5_000).fill('a: b'), 'refused'),
    added(
      '99 headers',
      Array.from({ length: 80 }, (_, at) => `a${at}: b`),
      'any',
    ),
    {
      name: 'a target of 20 KB',
      expect: 'refused',
      bytes: (place) => request({ ...place, path: `${place.path}?${'q'.repeat(20_000)}` }, [], ''),
    },
    {
      name: 'a method of 20 KB',
      expect: 'refused',
      bytes: (place) => request({ ...place, method: 'A'.repeat(20_000) }, [], ''),
    },
    {
      name: 'a body of 2 MiB',
      expect: 'any',
      bytes: (place) => request(place, ['Content-Length: 2097152'], 'x'.repeat(2_097_152)),
    },
    {
      name: 'a body of 2 MiB in chunks',
      expect: 'any',
      bytes: (place) =>
        request(
          place,
          ['Transfer-Encoding: chunked'],
          `${'10000\r\n'}${'x'.repeat(65_536)}\r\n`.repeat(32) + '0\r\n\r\n',
        ),
    },
  ];
}
