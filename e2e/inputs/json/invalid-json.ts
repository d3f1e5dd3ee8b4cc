/** Number literals that other languages allow and JSON does not. */
export function invalidNumbers(): string[] {
  const signs = ['+1', '++1', '--1', '-', '+', '- 1', '-a', '-.1', '-01'];
  const points = ['.1', '1.', '1.e1', '.', '0.e1', '1..2', '1.2.3', '-1.', '.-1'];
  const exponents = ['1e', '1E+', '1e-', 'e1', '1ee1', '1e1.5', '0e', '0e+', '1eE2', '-e1'];
  const others = [
    '01',
    '00',
    '1_000',
    '1 000',
    '0x1',
    '0b1',
    '1a',
    '1f',
    'NaN',
    'Infinity',
    '-Infinity',
    '١',
    '１',
    '1+1',
    '#1',
  ];
  return [...signs, ...points, ...exponents, ...others];
}

/** Strings with invalid escapes or characters, and unterminated strings. */
export function invalidStrings(): string[] {
  const escapes = [
    '\\a',
    '\\x41',
    '\\0',
    '\\u',
    '\\u1',
    '\\u12',
    '\\u123',
    '\\u12G4',
    '\\U0041',
    '\\',
    "\\'",
    '\\ ',
    '\\é',
    '\\u{41}',
  ];
  const controls = Array.from({ length: 32 }, (_, code) => String.fromCharCode(code));
  const open = ['"', '"a', '"a\\"', "'a'", 'a"', '""x', '"a" "b"', '`a`', '“a”', '"\\u00'];
  return [...[...escapes, ...controls].map((content) => `"${content}"`), ...open];
}

/** Malformed arrays, objects, literals, comments and white space. */
export function invalidStructures(): string[] {
  const arrays = [
    '[',
    ']',
    '[1',
    '[1,',
    '[,1]',
    '[1,]',
    '[1,,2]',
    '[,]',
    '[1 2]',
    '[1;2]',
    '[1]]',
    '[[1]',
    '[}',
    '[1}',
    '[a]',
    '["a",',
    '[1:2]',
    '[*]',
  ];
  const objects = [
    '{',
    '}',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '{"a":1,}',
    '{,}',
    '{"a",1}',
    '{"a"1}',
    '{a:1}',
    "{'a':1}",
    '{1:1}',
    '{null:1}',
    '{"a"::1}',
    '{"a":1 "b":2}',
    '{"a":1,,"b":2}',
    '{"a":}',
    '{:1}',
    '{"a":1}}',
    '{]',
    '{"a":1;}',
    '{[]:1}',
    '{"a":1}x',
  ];
  const literals = ['tru', 'fals', 'nul', 'True', 'NULL', 'nulll', 'undefined', 'truefalse', 't', 'yes'];
  const comments = ['//a', '/* a */', '1//a', '[1/*a*/]', '#a', '<!--a-->', '{"a":1}/**/', '{/**/}'];
  const several = [
    '1 2',
    '[] []',
    '{} {}',
    '"a" 1',
    '1,2',
    '{},',
    '[],',
    ',',
    ';',
    ':',
    '\\u007b}',
    '<a/>',
    '(1)',
    '=1',
  ];
  const spaces = ['\u00a01', '1\u00a0', '[\u20031]', '\f1', '[\v1]', '\u00851', '\u2028[]'];
  return ['', ' ', '\n', ...arrays, ...objects, ...literals, ...comments, ...several, ...spaces];
}

/** Invalid UTF-8 and other encodings. */
export function invalidBytes(): Buffer[] {
  const sequences = [
    '80',
    'bf',
    'c0',
    'c080',
    'c1bf',
    'c3',
    'e9',
    'e28',
    'e282',
    'eda080',
    'edbfbf',
    'f08080af',
    'f0288cbc',
    'f09f8e',
    'f4908080',
    'f8888080',
    'fc80808080',
    'fe',
    'ff',
    'e5',
    'fffe',
  ];
  const broken = sequences.map((hex) => Buffer.from(hex.length % 2 ? `${hex}2` : hex, 'hex'));
  const quote = Buffer.from('"');
  const wide = ['utf16le', 'utf16be'].map((coding) => (coding === 'utf16le' ? utf16('[1]') : utf16('[1]').swap16()));
  return [
    ...broken,
    ...broken.map((bytes) => Buffer.concat([quote, bytes, quote])),
    ...wide,
    Buffer.from('00', 'hex'),
    Buffer.from('5b00', 'hex'),
    Buffer.alloc(64),
  ];
}

function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le');
}
