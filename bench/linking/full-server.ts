import { createServer } from 'node:net';
import { AddressInfo } from 'node:net';

// A server that never accepts: once its queue is full, the kernel drops the first packet of every further connection, so
// that connecting neither succeeds nor fails. That is what a firewall does that drops packets.
const server = createServer();
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
  // The thread never returns to its event loop. It ends by SIGKILL.
  setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), 100);
});
