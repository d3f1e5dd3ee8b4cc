import { FaultKind } from './fault-kind';

/** The wall clock of one instance is skewed by minutes for a while (see `skewed-clock.cjs`). */
export function clockKinds(): FaultKind[] {
  return (['gateway', 'ingestion', 'linkage', 'engagement'] as const).map((app) => ({
    name: `${app}-clock-skewed`,
    target: app,
    breaks: `the clock of one instance of ${app} jumps by 2 to 4 min, ahead or behind, and back after 8 to 15 s`,
    begin: async ({ stack, clocks, startedMs }, random) => {
      const { name } = random.pick(stack.services.of(app));
      // A clock behind the start of the run's contracts and tasks would cause correct refusals and uncounted events.
      const isAhead = random.chance(0.5) || Date.now() - startedMs < 270_000;
      const skewMs = Math.round(random.between(120_000, 240_000)) * (isAhead ? 1 : -1);
      await clocks.skew(name, skewMs);
      return {
        hit: `${name} by ${Math.round(skewMs / 1000)} s`,
        lastsMs: random.between(8_000, 15_000),
        end: () => clocks.skew(name, 0),
      };
    },
  }));
}
