import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The kernel's codes for the keep-alive timer and for a socket without a timer. */
const keepAliveTimer = '02';
const noTimer = '00';

/** Ticks per second of the kernel's timers in /proc. */
const ticksPerSecond = 100;

interface SocketPorts {
  localPort: number;
  remotePort: number;
}

/**
 * Seconds until the kernel sends the first keep-alive probe of an idle TCP socket on loopback; undefined without
 * SO_KEEPALIVE. Only Linux shows it (/proc/net/tcp), and only for an idle socket: while bytes wait for their acknowledgement
 * it shows the retransmission timer, so this function waits until that ends. Throws when there is no such socket, or when it
 * is not idle within 5 s.
 */
export async function keepAliveOf(ports: SocketPorts): Promise<number | undefined> {
  for (let tries = 0; tries < 500; tries++, await sleep(10)) {
    const { kind, ticks } = timerOf(ports);
    if (kind === noTimer) return undefined;
    if (kind === keepAliveTimer) return ticks / ticksPerSecond;
  }
  throw new Error(`the socket from port ${ports.localPort} to ${ports.remotePort} does not become idle`);
}

function timerOf({ localPort, remotePort }: SocketPorts): { kind: string; ticks: number } {
  for (const file of ['/proc/net/tcp', '/proc/net/tcp6'])
    for (const line of readFileSync(file, 'utf8').split('\n').slice(1)) {
      const [, local, remote, , , timer] = line.trim().split(/\s+/);
      if (!timer || portOf(local) !== localPort || portOf(remote) !== remotePort) continue;
      const [kind, ticks] = timer.split(':');
      return { kind, ticks: parseInt(ticks, 16) };
    }
  throw new Error(`there is no socket from port ${localPort} to ${remotePort}`);
}

function portOf(place: string): number {
  return parseInt(place.split(':')[1], 16);
}
