import * as fc from 'fast-check';

/**
 * Texts that break naive handling of paths, SQL, JSON, names and numbers. The fixed ones are sent as authorization codes too: each
 * is too short or too simple for a secret, so that the scan for secrets does not find it in other requests.
 */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '%',
    '_',
    '\\',
    '%25',
    "'",
    '"',
    "' OR 1=1 --",
    ';',
    '..',
    '../..',
    '\0',
    '\ud800',
    '🎮',
    'ß',
    'İ',
  ),
  fc.constantFrom(
    'undefined',
    'null',
    'true',
    '-0',
    '00',
    '+1',
    '0x10',
    '1e309',
    '2147483648',
    '9007199254740993',
    'NaN',
  ),
  fc.constantFrom(
    '__proto__',
    'constructor',
    '$where',
    '${1}',
    '{{1}}',
    '<script>',
    '\u202e',
    '\r\nx: y',
    'a'.repeat(256),
  ),
  fc.constantFrom(
    '00000000-0000-0000-0000-000000000000',
    '2024-02-30T00:00:00Z',
    'http://[::1]:1/',
    'file:///etc/passwd',
  ),
  fc.string({ maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

/** Unexpected JSON values. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom(null, true, -1, 0, 0.5, 1e21, 2 ** 53, -(2 ** 31) - 1, [], {}, [[]], [null]),
  fc.jsonValue({ maxDepth: 4 }),
);

/** Functions that corrupt the bytes of a JSON body. */
export const spoiledBytes: fc.Arbitrary<(body: Buffer) => Buffer> = fc.oneof(
  fc.nat(200).map((at) => (body: Buffer) => body.subarray(0, Math.min(at, body.length))),
  fc.tuple(fc.nat(200), fc.uint8Array({ minLength: 1, maxLength: 4 })).map(([at, bytes]) => (body: Buffer) => {
    const place = Math.min(at, body.length);
    return Buffer.concat([body.subarray(0, place), bytes, body.subarray(place)]);
  }),
  fc.constantFrom<(body: Buffer) => Buffer>(
    (body) => Buffer.concat([body, body]),
    (body) => Buffer.concat([Buffer.from('\ufeff'), body]),
    (body) => Buffer.from(body.toString('latin1'), 'utf16le'),
    (body) => Buffer.from(`[${body.toString('latin1')}]`, 'latin1'),
    (body) => Buffer.from(body.toString('latin1').replace('{', '{"platform":"x","platform":"y",'), 'latin1'),
    () => Buffer.alloc(0),
    () => Buffer.from('{"a":'.repeat(5_000)),
    () => Buffer.alloc(70_000, 'x'),
  ),
);
