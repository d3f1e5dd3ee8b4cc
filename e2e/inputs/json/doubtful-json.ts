/** Cases on which parsers differ: depth, size, precision, unpaired surrogates, duplicate names, a byte order mark. */
export function either(): (string | Buffer)[] {
  const numbers = [
    '1e400',
    '-1e400',
    '1e-400',
    '9007199254740993',
    '-9223372036854775809',
    `1${'0'.repeat(400)}`,
    `0.${'1'.repeat(400)}`,
    '1e99999999999',
  ];
  const surrogates = [
    '"\\uD800"',
    '"\\uDC00"',
    '"\\uD800\\uD800"',
    '"\\uDC00\\uD800"',
    '"\\uD800a"',
    '{"\\uDFFF":1}',
    '"\\uD800\\n"',
  ];
  const deep = [100, 1_000, 10_000].flatMap((depth) => [
    `${'['.repeat(depth)}${']'.repeat(depth)}`,
    `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
    '['.repeat(depth),
    '{"a":'.repeat(depth),
  ]);
  const twice = ['{"a":1,"a":2}', '{"a":1,"a":1}', '{"a":1,"\\u0061":2}'];
  const others = [
    '\uFEFF[]',
    '\uFEFF{}',
    '"\\u0000"',
    '"\uFFFF"',
    '"\\uFDD0"',
    `"${'a'.repeat(60_000)}"`,
    `[${'1,'.repeat(20_000)}1]`,
  ];
  return [...numbers, ...surrogates, ...deep, ...twice, ...others];
}
