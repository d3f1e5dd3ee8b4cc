import { CpuSeconds, cpuBetween, findChild, readCpu } from '../support/process-cpu';
import { LinkingStack } from './linking-stack';

const apps = ['gateway', 'linkage', 'ingestion', 'engagement'] as const;

/** CPU seconds of all servers and of the users during one measurement; with profiles of linkage and the gateway if wanted. */
export class MeasuredCpu {
  private readonly pids: Readonly<Record<string, number | undefined>>;
  private before: CpuSeconds = {};

  constructor(
    private readonly bench: LinkingStack,
    private readonly isProfiled = false,
  ) {
    const { services } = bench.stack;
    this.pids = {
      ...Object.fromEntries(apps.map((app) => [app, services.first(app).pid])),
      kafka: findChild('kafka.Kafka'),
      redis: findChild('redis-server') ?? findChild('valkey'),
      postgres: findChild('postgres'),
      partner: bench.partnerPid,
      users: bench.users.pid,
    };
  }

  begin(): void {
    this.toggleProfiles();
    this.before = readCpu(this.pids);
  }

  end(): CpuSeconds {
    const used = cpuBetween(this.before, readCpu(this.pids));
    this.toggleProfiles();
    return used;
  }

  private toggleProfiles(): void {
    if (!this.isProfiled) return;
    for (const app of ['gateway', 'linkage'] as const)
      process.kill(this.bench.stack.services.first(app).pid ?? 0, 'SIGUSR2');
  }
}
