/** Valid values of every type. */
export function validValues(): string[] {
  const numbers = [
    '0',
    '-0',
    '-1',
    '1',
    '10',
    '1.5',
    '-0.1',
    '1e1',
    '1E1',
    '1e+1',
    '1e-1',
    '0e1',
    '0.0e0',
    '123456789',
  ];
  const escapes = [
    '\\"',
    '\\\\',
    '\\/',
    '\\b',
    '\\f',
    '\\n',
    '\\r',
    '\\t',
    '\\u0041',
    '\\u00e9',
    '\\uD83C\\uDFAE',
    '\\u2028',
  ];
  const plain = ['', ' ', 'a', 'é', '🎮', '\u2028', '\u2029', '\uFEFF', '\u007f', 'null', '/', "'", '\u202e'];
  const strings = [...escapes, ...plain].map((content) => `"${content}"`);
  const literals = ['true', 'false', 'null'];
  const arrays = ['[]', '[[]]', '[{}]', '[1,2]', '[ 1 , 2 ]', '[null,true,"a"]', '[[[[[[]]]]]]'];
  const objects = [
    '{}',
    '{"":0}',
    '{"a":1,"b":2}',
    '{ "a" : 1 }',
    '{"a":{"a":{}}}',
    '{"a":[]}',
    '{"\\u0061\\"":1}',
    '{"__proto__":1}',
  ];
  return [...numbers, ...strings, ...literals, ...arrays, ...objects, ...numbers.map((number) => `[${number}]`)];
}

/** Values surrounded by JSON white space. */
export function around(values: readonly string[]): string[] {
  return values.flatMap((value) => [` ${value}`, `${value} `, `\t${value}\n`, `\r\n${value}\r\n`]);
}
