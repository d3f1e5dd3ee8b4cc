import { CodedError } from '@podium/messages';
import { checkPartnerAddress } from './entered-address';

const allowList = new Set(['127.0.0.1:7405', 'localhost:7405']);

describe('checkPartnerAddress', () => {
  it.each([
    ['https://partner.example/', 'https://partner.example'],
    ['https://partner.example/api/v2/', 'https://partner.example/api/v2'],
    ['HTTPS://Partner.Example:8443', 'https://partner.example:8443'],
    ['http://127.0.0.1:7405/', 'http://127.0.0.1:7405'],
    ['http://localhost:7405/partner', 'http://localhost:7405/partner'],
  ])('takes %s as a base', (text, normal) => {
    expect(checkPartnerAddress('base_url', text, allowList)).toBe(normal);
  });

  it.each([
    ['', 'absolute https address'],
    ['partner.example', 'absolute https address'],
    ['//partner.example', 'absolute https address'],
    ['https:partner.example', 'absolute https address'],
    ['ftp://partner.example', 'absolute https address'],
    ['file:///etc/passwd', 'absolute https address'],
    ['javascript:alert(1)', 'absolute https address'],
    ['data:text/html,x', 'absolute https address'],
    ['http://partner.example', 'https://'],
    ['http://127.0.0.1:7406', 'https://'],
    ['https://user:pass@partner.example', 'credentials'],
    ['https://user@partner.example', 'credentials'],
    ['http://user:pass@127.0.0.1:7405', 'credentials'],
    ['https://partner.example/#x', 'fragment'],
    ['https://partner.example/#', 'fragment'],
    ['https://partner.example/?a=b', 'query'],
    ['https://10.0.0.1', 'IP address'],
    ['https://2130706433', 'IP address'],
    ['https://0177.0.0.1', 'IP address'],
    ['https://[::1]', 'IP address'],
    ['https://[::ffff:127.0.0.1]', 'IP address'],
    ['https://partner.example.', 'dot at the end'],
    ['https://localhost', 'public host'],
    ['https://home.arpa', 'public host'],
    ['https://router.home.arpa', 'public host'],
    ['https://intranet', 'public host'],
    ['https://metadata.google.internal', 'public host'],
    [`https://partner.example/${'a'.repeat(2048)}`, 'at most'],
  ])('refuses %s', (text, problem) => {
    const check = () => checkPartnerAddress('base_url', text, allowList);
    expect(check).toThrow(CodedError);
    expect(check).toThrow(new RegExp(`^base_url: .*${problem}`));
  });

  it('keeps the query of an authorization page, but refuses parameters that linkage sets', () => {
    expect(checkPartnerAddress('authorization_url', 'https://partner.example/login?brand=x', new Set())).toBe(
      'https://partner.example/login?brand=x',
    );
    expect(() => checkPartnerAddress('authorization_url', 'https://partner.example/login?state=x', new Set())).toThrow(
      /authorization_url: must not set state/,
    );
  });
});
