import { LookupAddress } from 'node:dns';
import { ResolveAll, checkedLookup } from './checked-lookup';
import { isPublicAddress, partnerAddressProblem } from './partner-address';
import { PartnerHttp } from './partner-http';

const none = new Set<string>();

describe('partnerAddressProblem', () => {
  it.each([
    'https://partner.example.com',
    'https://partner.example.com:8443/path',
    'https://8.8.8.8',
    'https://[2606:4700:4700::1111]/',
  ])('takes %s', (address) => expect(partnerAddressProblem(address, none)).toBeNull());

  it.each([
    ['plain http', 'http://partner.example.com'],
    ['loopback', 'https://127.0.0.1'],
    ['loopback, trailing dot', 'https://127.0.0.1.'],
    ['loopback, decimal', 'https://2130706433'],
    ['loopback, octal', 'https://0177.0.0.1'],
    ['loopback, hexadecimal', 'https://0x7f000001'],
    ['loopback, short', 'https://127.1'],
    ['loopback, full-width digits', 'https://１２７.０.０.１'],
    ['this network', 'https://0.0.0.0'],
    ['link-local metadata', 'https://169.254.169.254/latest'],
    ['RFC 1918, 10', 'https://10.1.2.3'],
    ['RFC 1918, 172.16', 'https://172.31.255.255'],
    ['RFC 1918, 192.168', 'https://192.168.1.1'],
    ['CGNAT', 'https://100.64.0.1'],
    ['multicast', 'https://224.0.0.1'],
    ['broadcast', 'https://255.255.255.255'],
    ['IPv6 loopback', 'https://[::1]'],
    ['IPv6 unspecified', 'https://[::]'],
    ['IPv6 unique local', 'https://[fd00::1]'],
    ['IPv6 link-local', 'https://[fe80::1]'],
    ['IPv6 mapped', 'https://[::ffff:127.0.0.1]'],
    ['IPv6 mapped public', 'https://[::ffff:8.8.8.8]'],
    ['NAT64', 'https://[64:ff9b::7f00:1]'],
    ['NAT64 local', 'https://[64:ff9b:1::7f00:1]'],
    ['6to4', 'https://[2002:7f00:1::]'],
    ['Teredo', 'https://[2001:0:4136:e378::1]'],
    ['credentials', 'https://user:pass@partner.example.com'],
    ['odd scheme', 'file:///etc/passwd'],
    ['another odd scheme', 'gopher://partner.example.com'],
    ['localhost', 'https://localhost'],
    ['localhost, trailing dot', 'https://localhost.'],
    ['trailing dot', 'https://partner.example.com.'],
    ['single label', 'https://metadata'],
    ['internal suffix', 'https://metadata.google.internal'],
    ['fragment', 'https://partner.example.com/#x'],
    ['no address', 'partner'],
  ])('refuses %s', (_name, address) => expect(partnerAddressProblem(address, none)).not.toBeNull());

  it('lets the allow list through by host and port only', () => {
    const allowList = new Set(['localhost:7405', '[::1]:80']);
    expect(partnerAddressProblem('http://localhost:7405/partner', allowList)).toBeNull();
    expect(partnerAddressProblem('http://[::1]/', allowList)).toBeNull();
    expect(partnerAddressProblem('http://localhost:7406', allowList)).not.toBeNull();
    expect(partnerAddressProblem('http://u:p@localhost:7405', allowList)).not.toBeNull();
  });
});

describe('isPublicAddress', () => {
  it('refuses what is no address', () => expect(isPublicAddress('partner.example')).toBe(false));
});

describe('names at connect', () => {
  const request = { method: 'GET', url: 'https://partner.example.com/', headers: {}, timeoutMs: 1000 } as const;

  async function sendWith(answers: LookupAddress[][]): Promise<{ result: unknown; asked: number }> {
    let asked = 0;
    const resolve: ResolveAll = (_hostname, callback) => callback(null, answers[Math.min(asked++, answers.length - 1)]);
    const http = new PartnerHttp(none, resolve);
    const result = await http.send(request);
    await http.stop();
    return { result, asked };
  }

  it('refuses a name that resolves to a special address, alone or among public ones', async () => {
    const refused = { ok: false, kind: 'address_refused' };
    expect((await sendWith([[{ address: '127.0.0.1', family: 4 }]])).result).toMatchObject(refused);
    const mixed = [
      { address: '203.0.114.1', family: 4 },
      { address: 'fd00::1', family: 6 },
    ];
    expect((await sendWith([mixed])).result).toMatchObject(refused);
  });

  it('hands the socket just the addresses that it checked, asking once', async () => {
    const answers = [[{ address: '192.88.98.1', family: 4 }], [{ address: '127.0.0.1', family: 4 }]];
    let asked = 0;
    const lookup = checkedLookup((_hostname, callback) => callback(null, answers[asked++]));
    const ask = (): Promise<unknown> =>
      new Promise((resolve) => lookup('partner.example.com', { all: true }, (...given) => resolve(given)));
    expect(await ask()).toEqual([null, answers[0]]);
    expect(asked).toBe(1);
    expect(await ask()).toEqual([expect.objectContaining({ code: 'ESPECIALADDRESS' }), '', 0]);
  });

  it('does not get round the check by an IP literal', async () => {
    const http = new PartnerHttp(none);
    expect(await http.send({ ...request, url: 'https://127.0.0.1/' })).toMatchObject({ kind: 'address_refused' });
    await http.stop();
  });

  it('says that a name is unknown without its being our fault', async () => {
    const http = new PartnerHttp(none, (_hostname, callback) =>
      callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), []),
    );
    expect(await http.send(request)).toMatchObject({ kind: 'unavailable', outcomeUnknown: false });
    await http.stop();
  });
});
