import { ConfigError } from '@podium/runtime/config';
import { LinkageConfig, requireSafe } from './config';

const config = (ENVIRONMENT: string, ...PARTNER_ADDRESS_ALLOW_LIST: string[]) =>
  ({ ENVIRONMENT, PARTNER_ADDRESS_ALLOW_LIST, LINK_RETURN_URLS: [] }) as unknown as LinkageConfig;

describe('requireSafe', () => {
  it('does not let production reach listed private addresses', () => {
    expect(() => requireSafe(config('production', '127.0.0.1:7405'))).toThrow(ConfigError);
    expect(() => requireSafe(config('production'))).not.toThrow();
    expect(() => requireSafe(config('test', '127.0.0.1:7405', 'localhost:7405', '[::1]:7405'))).not.toThrow();
  });

  it.each(['127.0.0.1', '*:80', 'http://a:80', 'a:b'])('refuses the entry %s', (entry) => {
    expect(() => requireSafe(config('test', entry))).toThrow(/host:port/);
  });
});
