import { fixed } from '@podium/runtime/config';
import { LinkageConfig, linkageFields, requireSafe } from './config';

describe('requireSafe', () => {
  const ring = (fill: number) => fixed([{ id: `k${fill}`, key: Buffer.alloc(32, fill) }]);

  it('refuses a cookie key that is also a vault key', () => {
    const config = (VAULT_KEYS: unknown, SESSION_KEYS: unknown) => ({ VAULT_KEYS, SESSION_KEYS }) as LinkageConfig;
    expect(() => requireSafe(config(ring(1), ring(2)))).not.toThrow();
    expect(() => requireSafe(config(ring(1), ring(1)))).toThrow('SESSION_KEYS');
  });
});

describe('PARTNER_ADDRESS_ALLOW_LIST', () => {
  const { parse } = linkageFields.PARTNER_ADDRESS_ALLOW_LIST;

  it('accepts hosts with a port', () => {
    expect(parse('127.0.0.1:7405, LocalHost:7405,[::1]:*')).toEqual(['127.0.0.1:7405', 'localhost:7405', '[::1]:*']);
  });

  it.each(['127.0.0.1', '*:80', 'http://a:80', 'a:b'])('refuses the entry %s', (entry) => {
    expect(() => parse(entry)).toThrow(/host:port/);
  });
});

describe('LINK_RETURN_URLS', () => {
  const { parse } = linkageFields.LINK_RETURN_URLS;

  it('returns URLs as parsed', () => {
    expect(parse('HTTPS://Play.Example/accounts?tab=a, https://play.example')).toEqual([
      'https://play.example/accounts?tab=a',
      'https://play.example/',
    ]);
  });

  it.each([
    'play.example',
    'javascript:alert(1)',
    'https://play.example\\@evil.example',
    'https://u@play.example',
    'https://a/#b',
  ])('refuses %s', (entry) => expect(() => parse(entry)).toThrow(/must/));
});
