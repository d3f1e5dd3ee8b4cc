import { once } from 'node:events';
import { AddressInfo } from 'node:net';
import { runOpenLoop } from '../support/open-loop';
import { createFloorServer } from './floor-server';

describe('createFloorServer', () => {
  it('keeps connections that are idle for longer than five seconds', async () => {
    const server = createFloorServer(() => Promise.resolve()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { answered, refused } = await runOpenLoop({
      ...{ host: '127.0.0.1', ports: [port], connections: 64, requestsPerS: 8, warmUpMs: 500, measureMs: 8_500 },
      nextRequest: () => 'POST / HTTP/1.1\r\nhost: floor\r\ncontent-length: 2\r\n\r\n{}',
    });
    expect(answered).toBeGreaterThan(0);
    expect(refused).toEqual({});
    server.closeAllConnections();
    server.close();
  });
});
