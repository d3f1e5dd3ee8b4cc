import { IncomingMessage } from 'node:http';
import { ClientAddresses } from './client-address';

function request(remoteAddress: string, forwarded?: string): IncomingMessage {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage;
}

describe('ClientAddresses', () => {
  const clients = new ClientAddresses(['10.0.0.0/8', '192.0.2.7', 'fd00::/8']);

  it.each([
    ['a direct client with a forged header', request('203.0.113.5', '1.2.3.4'), '203.0.113.5'],
    ['a client behind a trusted proxy', request('10.1.2.3', '203.0.113.5'), '203.0.113.5'],
    [
      'a client that forged an entry before the proxy wrote its own',
      request('10.1.2.3', '1.2.3.4, 203.0.113.5'),
      '203.0.113.5',
    ],
    ['two trusted proxies', request('::ffff:192.0.2.7', '203.0.113.5, 10.9.9.9'), '203.0.113.5'],
    ['an IPv6 proxy', request('fd00::1', '2001:db8::5'), '2001:db8::5'],
    ['a proxy that writes the port too', request('10.1.2.3', '203.0.113.5:51234'), '203.0.113.5'],
    ['a proxy that writes the port of IPv6 too', request('10.1.2.3', '[2001:db8::5]:51234'), '2001:db8::5'],
    ['IPv6 in brackets', request('10.1.2.3', '203.0.113.5, [fd00::2]'), '203.0.113.5'],
    ['something after the port', request('10.1.2.3', '203.0.113.5:51234:1'), '10.1.2.3'],
    ['an entry that is not an address', request('10.1.2.3', 'unknown'), '10.1.2.3'],
    ['a proxy without the header', request('10.1.2.3'), '10.1.2.3'],
  ])('%s', (_name, from, expected) => {
    expect(clients.addressOf(from)).toBe(expected);
  });

  it('reports an invalid network', () => {
    expect(() => new ClientAddresses(['everyone'])).toThrow('TRUSTED_PROXIES: everyone');
  });
});
