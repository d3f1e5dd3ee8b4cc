import { Gauge, Registry } from 'prom-client';
import { LiveSecret } from '../config';
import { Logger } from '../log';
import { PeriodicTask } from './periodic-task';

const everyMs = 5_000;

/** Re-reads the files of a configuration's live secrets periodically, so that a rotation needs no restart. */
export class SecretReload {
  private readonly secrets: readonly (readonly [name: string, secret: LiveSecret<unknown>])[];
  private readonly failing = new Set<string>();
  private readonly task: PeriodicTask;

  constructor(
    config: Readonly<Record<string, unknown>>,
    private readonly logger: Logger,
    registry: Registry,
  ) {
    this.secrets = Object.entries(config).flatMap(([name, value]) =>
      value instanceof LiveSecret ? [[name, value as LiveSecret<unknown>] as const] : [],
    );
    this.task = new PeriodicTask({ name: 'secrets', everyMs, run: () => this.run(), logger });
    registerMetrics(this.secrets, this.failing, registry);
  }

  start(): void {
    this.task.start();
  }

  stop(): Promise<void> {
    return this.task.stop();
  }

  private async run(): Promise<void> {
    for (const [name, secret] of this.secrets)
      try {
        if (await secret.reload()) this.logger.info({ secret: name }, 'a secret was re-read');
        this.failing.delete(name);
      } catch (error) {
        if (!this.failing.has(name))
          this.logger.error(
            { secret: name, reason: (error as Error).message },
            'a secret cannot be read; the previous value stays in use',
          );
        this.failing.add(name);
      }
  }
}

function registerMetrics(
  secrets: readonly (readonly [string, LiveSecret<unknown>])[],
  failing: ReadonlySet<string>,
  registry: Registry,
): void {
  const gauge = (name: string, help: string, valueOf: (name: string, secret: LiveSecret<unknown>) => number): void => {
    new Gauge({
      name,
      help,
      labelNames: ['secret'],
      registers: [registry],
      collect() {
        for (const [secret, value] of secrets) this.set({ secret }, valueOf(secret, value));
      },
    });
  };
  gauge('secret_values', 'Values in force: more than one while a rotation goes on', (_name, { current }) =>
    Array.isArray(current) ? current.length : 1,
  );
  gauge('secret_taken_timestamp_seconds', 'When this instance took the present value', (_name, { sinceMs }) =>
    Math.floor(sinceMs / 1000),
  );
  gauge('secret_unreadable', '1 while the file is away or malformed and the value before stays', (name) =>
    Number(failing.has(name)),
  );
}
