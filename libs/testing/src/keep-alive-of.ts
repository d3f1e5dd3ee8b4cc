import { readFileSync } from 'node:fs';

/** What the kernel calls the timer that asks a silent peer whether it is there. */
const keepAliveTimer = '02';

/** Ticks of the kernel's timers as it shows them. */
const ticksPerSecond = 100;

/**
 * Seconds until the kernel asks the peer of an idle TCP socket on loopback whether it is there, at most its keep-alive's
 * first delay; undefined when it never will (no SO_KEEPALIVE). Linux alone shows it (/proc/net/tcp). Throws for no socket.
 */
export function keepAliveOf({ localPort, remotePort }: { localPort: number; remotePort: number }): number | undefined {
  for (const file of ['/proc/net/tcp', '/proc/net/tcp6'])
    for (const line of readFileSync(file, 'utf8').split('\n').slice(1)) {
      const [, local, remote, , , timer] = line.trim().split(/\s+/);
      if (!timer || portOf(local) !== localPort || portOf(remote) !== remotePort) continue;
      const [kind, ticks] = timer.split(':');
      return kind === keepAliveTimer ? parseInt(ticks, 16) / ticksPerSecond : undefined;
    }
  throw new Error(`no socket goes from port ${localPort} to ${remotePort}`);
}

function portOf(place: string): number {
  return parseInt(place.split(':')[1], 16);
}
