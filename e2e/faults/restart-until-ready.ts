import { setTimeout as sleep } from 'node:timers/promises';

const timeoutMs = 240_000;

/** Restarts an instance until it is ready, as an orchestrator does: its dependencies may still be down. */
export async function restartUntilReady(instance: { start(): Promise<void>; kill(): Promise<unknown> }): Promise<void> {
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
