import * as net from 'node:net';
import { StackFailure } from './failure';

/** The port of each part, as an offset from `PORT_BASE`. */
export const portOffsets = {
  gateway: 0,
  linkage: 1,
  ingestion: 2,
  engagement: 3,
  'competition-read': 4,
  sandbox: 5,
  'competition-read-projector': 6,
  'gateway health': 10,
  'linkage health': 11,
  'ingestion health': 12,
  'engagement health': 13,
  'competition-read health': 14,
  'sandbox health': 15,
  'competition-read-projector health': 16,
  Postgres: 20,
  Redis: 21,
  Kafka: 22,
  'Kafka controller': 23,
  'second Kafka broker': 24,
  'second Kafka controller': 25,
  'third Kafka broker': 26,
  'third Kafka controller': 27,
} as const;

/** A part of the stack that listens on its own port. */
export type PortName = keyof typeof portOffsets;

/** The first port of the stack, from `PORT_BASE`, 7400 by default. */
export function portBase(env: NodeJS.ProcessEnv): number {
  const text = env.PORT_BASE || '7400';
  const base = Number(text);
  if (!Number.isInteger(base) || base < 1024 || base > 65000)
    throw new StackFailure(`PORT_BASE=${text} is not a port: use a whole number from 1024 to 65000.`);
  return base;
}

/** Gives each part its port: fixed offsets from a base, or any free port. */
export type PortPlan = (name: PortName) => Promise<number>;

/** A plan with fixed ports; a used port is refused with one sentence that names the port, its part and the remedy. */
export function fixedPorts(base: number): PortPlan {
  return async (name) => {
    const port = base + portOffsets[name];
    if (await isFree(port)) return port;
    throw new StackFailure(
      `Port ${port} is in use, and ${name} needs it: stop the program that listens there, or choose other ports with PORT_BASE=${base + 100}.`,
    );
  };
}

/** A plan with free ports that are not handed out twice. */
export const freePorts: PortPlan = () => freePort();

/**
 * A free port on loopback. It lies below the range for outgoing connections, so that no other program takes it while a
 * killed server is down. Workers of jest have a share of the ports each, because another one might draw the port before a server
 * listens there. All other processes draw from the half that workers do not use: so many ports that two of them hardly ever meet.
 */
export async function freePort(): Promise<number> {
  const worker = process.env.JEST_WORKER_ID;
  for (let attempt = 0; attempt < 200; attempt++) {
    const share =
      worker === undefined ? workerShares + below(portShares - workerShares) : Number(worker) % workerShares;
    const port = 15000 + below(portsOfShare) * portShares + share;
    if (handedOut.has(port) || !(await isFree(port))) continue;
    handedOut.add(port);
    return port;
  }
  throw new StackFailure('No free port was found between 15000 and 32000: stop some of the servers on this machine.');
}

/** Into how many shares the ports are divided, and how many of these are for workers of jest. */
const portShares = 32;
const workerShares = 16;
const portsOfShare = 531;

function below(count: number): number {
  return Math.floor(Math.random() * count);
}

const handedOut = new Set<number>();

/** Whether nothing listens on this port of 127.0.0.1. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = net.createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
