import net from 'node:net';
import tls from 'node:tls';
import { issuerFetch } from './issuer-fetch';

describe('issuerFetch', () => {
  it('leaves each address of a name the time to answer although a packet is lost, before the next takes its place', async () => {
    const connect = jest.spyOn(tls, 'connect').mockImplementation(() => {
      throw new Error('no connection');
    });
    await expect(issuerFetch('https://identity.example.com/')).rejects.toThrow('fetch failed');
    const [[options]] = connect.mock.calls as unknown as [[net.TcpSocketConnectOpts]];
    expect(options.autoSelectFamilyAttemptTimeout).toBeGreaterThan(1000);
    connect.mockRestore();
  });
});
