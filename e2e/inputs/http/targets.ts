import { HttpCase, HttpPlace, lengthOf, request } from './http-case';

/** Malformed and foreign request targets. */
export function targets(): HttpCase[] {
  const paths = [
    '//',
    '/./',
    '/../',
    '/..%2f',
    '/%2e%2e/',
    '/..;/',
    '/%00',
    '/%',
    '/%zz',
    '/%ff%fe',
    '/é',
    '/\xff',
    '/\\..\\',
    '/a%0d%0aSet-Cookie:x',
    '/?',
    '/?&&&==',
    '/#x',
    '/;x=y',
    '/.git/config',
    '/%u0041',
    `/${'a'.repeat(5_000)}`,
    `/${'../'.repeat(500)}etc/passwd`,
    `/${'%41'.repeat(1_000)}`,
  ];
  const whole = [
    '*',
    'a',
    '?',
    'docs',
    'http:',
    'http://',
    'http:///docs',
    'http://evil.example/',
    'https://evil.example/docs',
    'http://user:pass@evil.example/',
    'ftp://evil.example/',
    'javascript:alert(1)',
    'evil.example:443',
    '//evil.example/docs',
  ];
  const aimed = (name: string, path: (place: HttpPlace) => string): HttpCase => ({
    name,
    expect: 'any',
    bytes: (place) => request({ ...place, path: path(place) }, [lengthOf(place.body)], place.body),
  });
  return [
    ...paths.map((path) => aimed(`the target … ${JSON.stringify(path.slice(0, 40))}`, (place) => place.path + path)),
    ...whole.map((target) => ({
      ...aimed(`the target ${JSON.stringify(target)}`, () => target),
      expect: 'closed' as const,
    })),
    aimed('a target with a space', (place) => `${place.path}?a b`),
    aimed('its own absolute target', (place) => `http://${place.host}${place.path}`),
  ];
}

/** Unsupported HTTP versions and other protocols. */
export function versions(): HttpCase[] {
  const line = (name: string, bytes: (place: HttpPlace) => string): HttpCase => ({
    name,
    expect: 'closed',
    bytes: (place) => Buffer.from(bytes(place), 'latin1'),
  });
  return [
    line('HTTP/0.9', ({ path }) => `GET ${path}\r\n`),
    line('HTTP/1.0 without Host', ({ path }) => `GET ${path} HTTP/1.0\r\n\r\n`),
    line('HTTP/1.2', ({ path }) => `GET ${path} HTTP/1.2\r\nHost: a\r\n\r\n`),
    line('HTTP/2.0', ({ path }) => `GET ${path} HTTP/2.0\r\nHost: a\r\n\r\n`),
    line('the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'),
    line('a version in lower case', ({ path }) => `GET ${path} http/1.1\r\nHost: a\r\n\r\n`),
    line('an invalid version', ({ path }) => `GET ${path} HTTP/1.1.1\r\nHost: a\r\n\r\n`),
    line('no version and no target', () => 'GET\r\n\r\n'),
    line('lines that end with a bare line feed', ({ path }) => `GET ${path} HTTP/1.1\nHost: a\n\n`),
    line('empty lines first', ({ path }) => `\r\n\r\n\r\nGET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`),
    line('a TLS hello', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'),
    line('SMTP', () => 'EHLO there\r\n'),
    line('only zero bytes', () => '\0'.repeat(1_000)),
  ];
}
