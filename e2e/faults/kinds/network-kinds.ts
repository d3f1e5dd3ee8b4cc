import { BlackHole } from '@podium/testing';
import { SeededRandom } from '../../support/seeded-random';
import { FaultContext } from '../fault-context';
import { FaultKind } from './fault-kind';

/** What fails between the services and a server; brokers among themselves, and this run, are not hit. */
export function networkKinds(): FaultKind[] {
  return (['Redis', 'Postgres', 'Kafka'] as const).flatMap((target) => {
    const way = (context: FaultContext, random: SeededRandom): { hit: string; way: BlackHole } => {
      const { redis, postgres, kafka } = context.network;
      if (target !== 'Kafka') return { hit: target, way: target === 'Redis' ? redis : postgres };
      const { id } = random.pick(context.servers.kafka.brokers);
      return { hit: `broker ${id}`, way: kafka[id - 1] };
    };
    const what = target === 'Kafka' ? 'one broker' : target;
    const slow: FaultKind = {
      name: `${target.toLowerCase()}-slow`,
      target,
      breaks: `for 8 to 15 s everything to and from ${what} is delayed by 50 to 400 ms, at 64 to 512 KiB/s for each connection`,
      begin: async (context, random) => {
        const { hit, way: slowed } = way(context, random);
        const delayMs = Math.round(random.between(50, 400));
        const kibPerS = Math.round(random.between(64, 512));
        slowed.delay(delayMs);
        slowed.throttle(kibPerS * 1024);
        const end = async (): Promise<void> => {
          slowed.delay(0);
          slowed.throttle(Infinity);
        };
        return { hit: `${hit} by ${delayMs} ms, ${kibPerS} KiB/s`, lastsMs: random.between(8_000, 15_000), end };
      },
    };
    const blackHole: FaultKind = {
      name: `${target.toLowerCase()}-black-hole`,
      target,
      breaks: `for 5 to 15 s nothing is forwarded to or from ${what}, and nothing is closed; at the end half of the time old connections stay silent for good`,
      begin: async (context, random) => {
        const { hit, way: silent } = way(context, random);
        const isStranded = random.chance(0.5);
        silent.stall();
        const end = async (): Promise<void> => {
          if (isStranded) silent.strand();
          silent.resume();
        };
        return {
          hit: isStranded ? `${hit}, its connections for good` : hit,
          lastsMs: random.between(5_000, 15_000),
          end,
        };
      },
    };
    return [slow, blackHole];
  });
}
