import * as fs from 'node:fs';
import { scratchFolders } from '@podium/testing';
import { reportedHandles, serversOf } from './reported-handles';

const folder = scratchFolders();

describe('the handles that a file leaves open', () => {
  const handle = (port: number) => ({
    ...{ type: 'tcp', is_referenced: true, localEndpoint: { ip4: '127.0.0.1', port: 40_000 } },
    remoteEndpoint: { ip4: '127.0.0.1', port },
  });

  it('are named with the server at the other end', () => {
    const file = `${folder()}/stack.json`;
    const addresses = {
      database_url: 'postgres://podium:secret@127.0.0.1:1001/podium',
      redis_url: 'redis://127.0.0.1:1002',
      kafka_brokers: '127.0.0.1:1003,127.0.0.1:1004',
    };
    fs.writeFileSync(file, JSON.stringify(addresses));
    const libuv = [1001, 1002, 1003, 1004, 1005].map(handle);
    expect(reportedHandles({ libuv }, serversOf(file))).toEqual([
      'socket to 127.0.0.1:1001 (Postgres)',
      'socket to 127.0.0.1:1002 (Redis)',
      'socket to 127.0.0.1:1003 (Kafka)',
      'socket to 127.0.0.1:1004 (Kafka)',
      'socket to 127.0.0.1:1005',
    ]);
  });

  it('are named without a stack', () => {
    const names = [serversOf(undefined), serversOf(`${folder()}/none.json`)];
    for (const each of names)
      expect(reportedHandles({ libuv: [handle(1001)] }, each)).toEqual(['socket to 127.0.0.1:1001']);
  });
});
