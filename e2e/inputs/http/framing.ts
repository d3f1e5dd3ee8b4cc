import { HttpCase, smuggled, withLines } from './http-case';

/** Conflicting body framing (request smuggling): a proxy and the server behind it must agree where a body ends. */
export function framing(): HttpCase[] {
  const chunked = 'Transfer-Encoding: chunked';
  const lengths = [
    '+5',
    '-1',
    '0x5',
    '5 5',
    '5,5',
    '5;',
    '5a',
    '1e1',
    '5.0',
    '',
    '١',
    '18446744073709551616',
    '99999999999999999999999',
  ];
  const codings = [
    'xchunked',
    'chunked, identity',
    'identity',
    'gzip, chunked',
    'chunked, chunked',
    'chunked;q=1',
    '"chunked"',
    'chunked\v',
    '\vchunked',
    'chunke',
    'identity, chunked',
    'chunked ,',
    ',',
  ];
  return [
    withLines('length and coding', [`Content-Length: ${smuggled.length + 5}`, chunked], `0\r\n\r\n${smuggled}`),
    withLines('coding and length', [chunked, 'Content-Length: 4'], `0\r\n\r\n${smuggled}`),
    withLines('two different lengths', ['Content-Length: 0', `Content-Length: ${smuggled.length}`], smuggled),
    withLines('two different lengths in one line', [`Content-Length: 0, ${smuggled.length}`], smuggled),
    ...lengths.map((length) =>
      withLines(`the length ${JSON.stringify(length)}`, [`Content-Length: ${length}`], smuggled),
    ),
    ...codings.map((coding) =>
      withLines(`the coding ${JSON.stringify(coding)}`, [`Transfer-Encoding: ${coding}`], `0\r\n\r\n${smuggled}`),
    ),
    withLines('two codings', [chunked, 'Transfer-Encoding: identity'], `0\r\n\r\n${smuggled}`),
    withLines('a space before the colon of the coding', ['Transfer-Encoding : chunked'], `0\r\n\r\n${smuggled}`),
    withLines('a space before the colon of the length', [`Content-Length : ${smuggled.length}`], smuggled),
    withLines('a tab before the colon', [`Content-Length\t: ${smuggled.length}`], smuggled),
    withLines('a folded coding', ['Transfer-Encoding:\r\n chunked'], `0\r\n\r\n${smuggled}`),
    withLines('a folded length', [`Content-Length: 0\r\n 5`], smuggled),
    withLines('a coding after a bare carriage return', ['X: y\rTransfer-Encoding: chunked'], `0\r\n\r\n${smuggled}`),
    withLines(
      'a coding after a bare line feed',
      [`X: y\nTransfer-Encoding: chunked`, 'Content-Length: 4'],
      `0\r\n\r\n${smuggled}`,
    ),
  ];
}

/** Chunked bodies with malformed or wrong sizes. */
export function chunks(): HttpCase[] {
  const chunked = ['Transfer-Encoding: chunked'];
  const bodies = {
    'a size that is not a number': 'zz\r\nab\r\n0\r\n\r\n',
    'a negative size': '-1\r\na\r\n0\r\n\r\n',
    'a size with a sign': '+2\r\nab\r\n0\r\n\r\n',
    'a size with 0x': '0x2\r\nab\r\n0\r\n\r\n',
    'a size that overflows': `${'f'.repeat(17)}\r\nab`,
    'a size with spaces': ' 2\r\nab\r\n0\r\n\r\n',
    'a chunk longer than its size': `1\r\nab\r\n0\r\n\r\n${smuggled}`,
    'no line end after a chunk': '2\r\nab0\r\n\r\n',
    'an empty size': '\r\nab\r\n0\r\n\r\n',
  };
  return [
    ...Object.entries(bodies).map(([name, body]) => withLines(name, chunked, body, 'ended')),
    withLines('an endless extension', chunked, `1;${'a'.repeat(40_000)}`, 'closed'),
    withLines('a length as a trailer', chunked, '0\r\nContent-Length: 50\r\n\r\n', 'any'),
    withLines('endless trailers', chunked, `0\r\n${'a: b\r\n'.repeat(5_000)}`, 'closed'),
    withLines('lines that end with a bare line feed', chunked, '2\nab\n0\n\n', 'closed'),
  ];
}
