import * as os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { killProcesses } from './kill-processes';
import { partnerCommand, whileRunning } from './partner-command';
import { PartnerPlan } from './partner-plan';
import { PartnerProcess } from './partner-process';

describe('processes under fire', () => {
  const kill = (script: string, pause: () => Promise<unknown>) =>
    killProcesses({
      count: 2,
      start: () => new PartnerProcess([process.execPath, '-e', script], {} as PartnerPlan, 'key'),
      pause,
      onKilled: () => undefined,
    });

  it('are reported when they ended before they were killed', async () => {
    const started: PartnerProcess[] = [];
    const { running, ended } = await killProcesses({
      count: 2,
      start: () => {
        started.push(new PartnerProcess([process.execPath, '-e', 'process.exit(3)'], {} as PartnerPlan, 'key'));
        return started[started.length - 1];
      },
      pause: async () => {
        while (started[started.length - 1].end === null) await sleep(20);
      },
      onKilled: () => undefined,
    });
    expect(ended).toEqual(['exit code 3', 'exit code 3']);
    await running.kill();
  });

  it('are not reported when a kill ended them', async () => {
    const { running, ended } = await kill('setInterval(() => undefined, 1000)', () => sleep(100));
    expect(ended).toEqual([]);
    await expect(running.kill()).resolves.toBeNull();
  });
});

describe('whileRunning', () => {
  const access = { url: 'http://127.0.0.1:9', key: 'key' };

  it('rejects with the output of a command that ends before the condition holds', async () => {
    const running = partnerCommand(['backfill', '--no-such-option'], access);
    await expect(whileRunning(running, 20_000, () => Promise.resolve(false))).rejects.toThrow(
      /^podium-partner ended too early with exit code \d+; it printed:\n[^]*no-such-option/,
    );
  });

  it('kills a command that takes too long', async () => {
    const running = partnerCommand(['reconcile', os.devNull], access);
    await expect(whileRunning(running, 0, () => Promise.resolve(false))).rejects.toThrow(
      'was not far enough after 0 s',
    );
  });

  it('leaves a command alone once the condition holds', async () => {
    const running = partnerCommand(['--help'], access);
    await whileRunning(running, 0, () => Promise.resolve(true));
    await expect(running.ended).resolves.toMatchObject({ exitCode: 0 });
  });
});
