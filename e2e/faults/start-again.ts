import { setTimeout as sleep } from 'node:timers/promises';

const timeoutMs = 240_000;

/** As an orchestrator does: what ends or is not ready in time, because what it needs is still away, is started again. */
export async function startAgain(instance: { start(): Promise<void>; kill(): Promise<unknown> }): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await instance.start();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await instance.kill();
      await sleep(500);
    }
  }
}
