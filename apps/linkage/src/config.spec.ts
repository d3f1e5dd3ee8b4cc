import { ConfigError } from '@podium/runtime/config';
import { LinkageConfig, linkageFields, requireSafe } from './config';

const config = (ENVIRONMENT: string, ...PARTNER_ADDRESS_ALLOW_LIST: string[]) =>
  ({ ENVIRONMENT, PARTNER_ADDRESS_ALLOW_LIST, LINK_RETURN_URLS: [] }) as unknown as LinkageConfig;

describe('requireSafe', () => {
  it('does not let production reach listed private addresses', () => {
    expect(() => requireSafe(config('production', '127.0.0.1:7405'))).toThrow(ConfigError);
    expect(() => requireSafe(config('production'))).not.toThrow();
    expect(() => requireSafe(config('test', '127.0.0.1:7405'))).not.toThrow();
    expect(linkageFields.PARTNER_ADDRESS_ALLOW_LIST.parse('127.0.0.1:7405,localhost:7405,[::1]:7405')).toHaveLength(3);
  });

  it.each(['127.0.0.1', '*:80', 'http://a:80', 'a:b'])('refuses the entry %s', (entry) => {
    expect(() => linkageFields.PARTNER_ADDRESS_ALLOW_LIST.parse(`127.0.0.1:7405, ${entry}`)).toThrow(/host:port/);
  });

  it.each(['play.example', 'ftp://play.example'])('refuses to send a user back to %s', (entry) => {
    expect(() => linkageFields.LINK_RETURN_URLS.parse(entry)).toThrow(/absolute http or https address/);
  });
});
