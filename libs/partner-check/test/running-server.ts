import { spawn } from 'node:child_process';
import { freePort } from '@podium/testing/free-port';

/** A partner's server in a process of its own. */
export interface RunningServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a program that listens on PORT; resolves when it answers. */
export async function startServer(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<RunningServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = spawn(command, args, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), ...env },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  while (server.exitCode === null && !(await answers(url))) await new Promise((resolve) => setTimeout(resolve, 50));
  if (server.exitCode !== null) throw new Error(`${command} ${args.join(' ')} ended with ${server.exitCode}`);
  return {
    url,
    stop: async () => {
      server.kill();
      await ended;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => null);
  await response?.arrayBuffer();
  return response !== null;
}
