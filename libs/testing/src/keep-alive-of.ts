import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** What the kernel calls the timer that asks a silent peer whether it is there, and the one of a socket that has none. */
const keepAliveTimer = '02';
const noTimer = '00';

/** Ticks of the kernel's timers as it shows them. */
const ticksPerSecond = 100;

interface SocketPorts {
  localPort: number;
  remotePort: number;
}

/**
 * Seconds until the kernel asks the peer of a TCP socket on loopback whether it is there, at most its keep-alive's first
 * delay; undefined when it never will (no SO_KEEPALIVE). Linux alone shows it (/proc/net/tcp), and of an idle socket alone:
 * while bytes wait for their acknowledgement the timer shown is that of sending them again, so this waits for its end.
 * Throws for no socket, and for one that is not idle within 5 s.
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
  throw new Error(`no socket goes from port ${localPort} to ${remotePort}`);
}

function portOf(place: string): number {
  return parseInt(place.split(':')[1], 16);
}
