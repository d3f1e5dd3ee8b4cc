import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../tools/seed/api';
import { SeededRandom } from '@podium/testing/seeded-random';
import { JudgedPartner } from './judged-partner';

/** As long as the system may take to recover from faults. */
const timeoutMs = 300_000;

/** Pauses tasks and resumes them, as an operator does who tries again while the service is away. */
export class Pauses {
  private isStopped = false;
  private work: Promise<void> = Promise.resolve();
  count = 0;

  constructor(
    private readonly judged: JudgedPartner,
    private readonly random: SeededRandom,
  ) {}

  start(): void {
    this.work = this.run();
    // Reported by `finish`.
    this.work.catch(() => undefined);
  }

  /** Leaves no task paused, also when a failover of Postgres has lost a change. */
  async finish(): Promise<void> {
    this.isStopped = true;
    await this.work;
    for (const taskId of this.judged.taskIds) await this.move(taskId, 'resume', 'published');
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      const taskId = this.random.pick([...this.judged.taskIds]);
      await this.move(taskId, 'pause', 'paused');
      this.count++;
      await sleep(this.random.between(1_000, 4_000));
      await this.move(taskId, 'resume', 'published');
      await sleep(this.random.between(500, 3_000));
    }
  }

  private async move(taskId: string, verb: 'pause' | 'resume', state: string): Promise<void> {
    await until(`a task being ${state}`, timeoutMs, async () => {
      const found = await this.judged.partner.moveTask(taskId, verb).catch(() => undefined);
      return found === state ? true : undefined;
    });
  }
}
