import { execFile } from 'node:child_process';
import * as path from 'node:path';
import { DocumentedServer } from './documented-server';

const program = path.join(__dirname, '../src/command-line/main.ts');

describe('podium-partner', () => {
  const server = new DocumentedServer();
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    env = { ...process.env, PODIUM_URL: await server.listen(), PODIUM_EVENT_KEY: 'podium_test_ev_key' };
  });
  afterAll(() => server.close());

  /** Sends an event; `streams` says to the shell where the output goes. */
  function send(id: string, streams: string): Promise<{ code: unknown; printed: string }> {
    const call = [process.execPath, '-r', '@swc-node/register', program, 'send', '--platform', 'acme'];
    const event = ['--id', id, '--user', 'u', '--name', 'deposit'];
    return new Promise((resolve) =>
      execFile('sh', ['-c', `exec "$0" "$@" ${streams}`, ...call, ...event], { env }, (error, out, err) =>
        resolve({ code: error?.code ?? 0, printed: out + err }),
      ),
    );
  }

  it('says without a trace of calls that its output cannot be written, and has not finished', async () => {
    expect(await send('a', '> /dev/full')).toEqual({
      code: 3,
      printed: 'The output cannot be written: ENOSPC: no space left on device, write\n',
    });
  });

  it('does its work although its notes cannot be written', async () => {
    expect(await send('b', '2> /dev/full')).toMatchObject({ code: 0, printed: 'accepted b\n' });
    server.behaviour = { refuse: () => 'invalid_request' };
    expect(await send('c', '2> /dev/full')).toEqual({ code: 1, printed: '' });
    // The answer of one that nobody reads is lost as well.
    expect((await send('d', '> /dev/full 2>&1')).code).toBe(1);
  });
});
