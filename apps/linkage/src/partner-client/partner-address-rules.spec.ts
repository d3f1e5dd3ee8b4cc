import { isPublicAddress, parsePartnerAddress } from './partner-address-rules';

const none = new Set<string>();

describe('parsePartnerAddress', () => {
  it.each([
    ['https://partner.example.com', 'https://partner.example.com/'],
    ['HTTPS://Partner.Example.com:443/a/../path', 'https://partner.example.com/path'],
    ['https://partner.example.com:8443/path?brand=x', 'https://partner.example.com:8443/path?brand=x'],
    ['https://bücher.example', 'https://xn--bcher-kva.example/'],
  ])('takes %s as %s', (text, href) => {
    const address = parsePartnerAddress(text, none);
    expect(address.ok && address.url.href).toBe(href);
  });

  it.each([
    ['', 'absolute https address'],
    ['partner.example.com', 'absolute https address'],
    ['//partner.example.com', 'absolute https address'],
    ['https:partner.example.com', 'absolute https address'],
    ['https:///partner.example.com', 'absolute https address'],
    ['file:///etc/passwd', 'absolute https address'],
    ['gopher://partner.example.com', 'absolute https address'],
    ['javascript:alert(1)', 'absolute https address'],
    ['http://partner.example.com', 'https://'],
    ['https://partner.example.com\\@127.0.0.1', 'backslashes'],
    ['https:\\\\partner.example.com', 'backslashes'],
    ['https://partner.example.com/a\\b', 'backslashes'],
    [' https://partner.example.com', 'blanks'],
    ['https://partner.example.com ', 'blanks'],
    ['https://partner.exam\tple.com', 'control characters'],
    ['https://partner.example.com/\r\nx: y', 'control characters'],
    ['https://user:pass@partner.example.com', 'credentials'],
    ['https://user@partner.example.com', 'credentials'],
    ['https://@partner.example.com', 'credentials'],
    ['https://partner.example.com/#x', 'fragment'],
    ['https://partner.example.com/#', 'fragment'],
    ['https://8.8.8.8', 'IP address'],
    ['https://127.0.0.1', 'IP address'],
    ['https://127.0.0.1.', 'IP address'],
    ['https://2130706433', 'IP address'],
    ['https://0177.0.0.1', 'IP address'],
    ['https://0x7f000001', 'IP address'],
    ['https://127.1', 'IP address'],
    ['https://１２７.０.０.１', 'IP address'],
    ['https://[::1]', 'IP address'],
    ['https://[::ffff:127.0.0.1]', 'IP address'],
    ['https://localhost', 'public host'],
    ['https://metadata', 'public host'],
    ['https://metadata.google.internal', 'public host'],
    ['https://router.home.arpa', 'public host'],
    ['https://home.arpa', 'public host'],
    ['https://localhost.', 'dot at the end'],
    ['https://partner.example.com.', 'dot at the end'],
    [`https://partner.example.com/${'a'.repeat(2048)}`, 'at most'],
  ])('refuses %j', (text, problem) => {
    expect(parsePartnerAddress(text, none)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
  });

  it('allows entries of the allow list only by host and port', () => {
    const allowList = new Set(['localhost:7405', '[::1]:80']);
    const isTaken = (text: string): boolean => parsePartnerAddress(text, allowList).ok;
    expect(isTaken('http://localhost:7405/partner')).toBe(true);
    expect(isTaken('http://[::1]/')).toBe(true);
    expect(isTaken('http://localhost:7406')).toBe(false);
    expect(isTaken('http://u:p@localhost:7405')).toBe(false);
    expect(isTaken('http://localhost:7405\\@evil.example')).toBe(false);
  });

  it('allows every port of a host that the list has with one, and no other host', () => {
    const isTaken = (text: string): boolean => parsePartnerAddress(text, new Set(['127.0.0.1:*'])).ok;
    expect(['http://127.0.0.1', 'http://127.0.0.1:9000/a', 'https://127.0.0.1:1'].map(isTaken)).toEqual([
      true,
      true,
      true,
    ]);
    expect(['http://127.0.0.2:9000', 'http://127.0.0.1.example', 'http://[::1]:9000'].map(isTaken)).toEqual([
      ...[false, false, false],
    ]);
  });
});

describe('isPublicAddress', () => {
  it.each(['8.8.8.8', '203.0.114.1', '2606:4700:4700::1111'])('accepts %s', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  );

  it.each([
    ['this network', '0.0.0.0'],
    ['loopback', '127.0.0.1'],
    ['link-local metadata', '169.254.169.254'],
    ['RFC 1918, 10', '10.1.2.3'],
    ['RFC 1918, 172.16', '172.31.255.255'],
    ['RFC 1918, 192.168', '192.168.1.1'],
    ['CGNAT', '100.64.0.1'],
    ['multicast', '224.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['IPv6 loopback', '::1'],
    ['IPv6 unspecified', '::'],
    ['IPv6 unique local', 'fd00::1'],
    ['IPv6 link-local', 'fe80::1'],
    ['IPv6 mapped', '::ffff:127.0.0.1'],
    ['IPv6 mapped public', '::ffff:8.8.8.8'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['NAT64 local', '64:ff9b:1::7f00:1'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001:0:4136:e378::1'],
    ['no address', 'partner.example'],
  ])('refuses %s', (_name, address) => expect(isPublicAddress(address)).toBe(false));
});
