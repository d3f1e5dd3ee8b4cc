import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceHandle } from '../../tools/stack/running-services';

/** As an orchestrator does: a service that ends because what it needs is still away is started again. */
export async function startAgain(instance: ServiceHandle): Promise<void> {
  const deadline = Date.now() + 120_000;
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
