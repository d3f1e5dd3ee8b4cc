import { BlackHole } from '@podium/testing';
import { SeededRandom } from '@podium/testing/seeded-random';
import { FaultContext } from '../fault-context';
import { FaultKind } from './fault-kind';

/** Network faults between the services and a server. They do not affect traffic between brokers or of the run itself. */
export function networkKinds(): FaultKind[] {
  return (['Redis', 'Postgres', 'Kafka'] as const).flatMap((target) => {
    const pickProxy = (context: FaultContext, random: SeededRandom): { hit: string; proxy: BlackHole } => {
      const { redis, postgres, kafka } = context.network;
      if (target !== 'Kafka') return { hit: target, proxy: target === 'Redis' ? redis : postgres };
      const { id } = random.pick(context.servers.kafka.brokers);
      return { hit: `broker ${id}`, proxy: kafka[id - 1] };
    };
    const what = target === 'Kafka' ? 'one broker' : target;
    const slow: FaultKind = {
      name: `${target.toLowerCase()}-slow`,
      target,
      breaks: `for 8 to 15 s everything to and from ${what} is delayed by 50 to 400 ms, at 64 to 512 KiB/s for each connection`,
      begin: async (context, random) => {
        const { hit, proxy } = pickProxy(context, random);
        const delayMs = Math.round(random.between(50, 400));
        const kibPerS = Math.round(random.between(64, 512));
        proxy.delay(delayMs);
        proxy.throttle(kibPerS * 1024);
        const end = async (): Promise<void> => {
          proxy.delay(0);
          proxy.throttle(Infinity);
        };
        return { hit: `${hit} by ${delayMs} ms, ${kibPerS} KiB/s`, lastsMs: random.between(8_000, 15_000), end };
      },
    };
    const blackHole: FaultKind = {
      name: `${target.toLowerCase()}-black-hole`,
      target,
      breaks: `for 5 to 15 s nothing is forwarded to or from ${what}, and nothing is closed; with probability 0.5 the old connections never recover`,
      begin: async (context, random) => {
        const { hit, proxy } = pickProxy(context, random);
        const isStranded = random.chance(0.5);
        proxy.stall();
        const end = async (): Promise<void> => {
          if (isStranded) proxy.strand();
          proxy.resume();
        };
        return {
          hit: isStranded ? `${hit}, its old connections permanently` : hit,
          lastsMs: random.between(5_000, 15_000),
          end,
        };
      },
    };
    return [slow, blackHole];
  });
}
