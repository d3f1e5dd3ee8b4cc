import { vaultKeyStatuses } from './vault-status';

describe('vaultKeyStatuses', () => {
  const judge = (rings: string[][], sealed: Record<string, number> = {}, sealing = rings[0][0]): unknown =>
    Object.fromEntries(
      vaultKeyStatuses(
        rings.map((keyIds) => ({ keyIds })),
        Object.entries(sealed).map(([keyId, count]) => ({ keyId, sealed: count })),
        sealing,
      ).map(({ keyId, state }) => [keyId, state]),
    );

  it.each([
    ['one key', [['a'], ['a']], {}, { a: 'sealing' }],
    ['a new key that one instance has', [['a', 'b'], ['a']], {}, { a: 'sealing', b: 'unused' }],
    ['a new key that seals before all have it', [['b', 'a'], ['a']], {}, { b: 'missing', a: 'sealing' }],
    [
      'an instance that still seals under the former key',
      [
        ['b', 'a'],
        ['a', 'b'],
      ],
      {},
      { b: 'sealing', a: 'sealing' },
    ],
    ['secrets under the former key', [['b', 'a']], { a: 1 }, { b: 'sealing', a: 'in_use' }],
    ['no secrets left under the former key', [['b', 'a']], {}, { b: 'sealing', a: 'unused' }],
    ['a former key removed too early', [['b']], { a: 1 }, { b: 'sealing', a: 'missing' }],
    ['a removed former key', [['b']], {}, { b: 'sealing' }],
  ])('%s', (_name, rings, sealed, expected) => {
    expect(judge(rings, sealed)).toEqual(expected);
  });
});
