import { queryable } from '@podium/runtime/postgres';
import { freshName } from '@podium/testing';
import fc from 'fast-check';
import { propertyOptions } from '../property-options';
import { ChangingEngine } from './changing-engine';
import { EngagementInstance } from './engagement-instance';
import { Results, findDifferences, readResults, wrongDefinitions } from './find-differences';
import { Plan, PlannedStep, planOf } from './plan';

jest.setTimeout(3_600_000);

const seeds = fc.noBias(fc.nat());

describe('versions of segments and tasks that are published while events flow through several instances', () => {
  it('pay, hold and tell what a naive recomputation by the version in force does, each once', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, async (seed) => {
        const plan = planOf(seed, freshName('platform'));
        const engine = await ChangingEngine.create(plan);
        try {
          await run(engine, plan);
          const db = queryable(engine.pool);
          expect(await wrongDefinitions(db, engine.changed.expected, plan.endS)).toEqual([]);
          const results = await readResults(db, plan);
          expect(await findDifferences(db, plan, results)).toEqual([]);
          expectMeaning(results);
        } finally {
          await engine.drop();
        }
      }),
      propertyOptions(1),
    );
  });
});

/** Carries out a plan; instances come and go, and links are consumed at times, at shares of its steps. */
async function run(engine: ChangingEngine, plan: Plan): Promise<void> {
  const running: EngagementInstance[] = [await engine.start(), await engine.start(2_000)];
  const start = async (behindMs: number): Promise<void> => void running.push(await engine.start(behindMs));
  const rollout: readonly (readonly [share: number, work: () => Promise<void>])[] = [
    [0.12, () => engine.serveLinks(true)],
    [0.24, () => engine.serveLinks(false)],
    [0.3, () => start(0)],
    [0.4, () => engine.serveLinks(true)],
    [0.45, () => engine.kill(running[0])],
    [0.55, () => engine.serveLinks(false)],
    [0.62, () => start(1_000)],
    [0.75, () => engine.stop(running[1])],
  ];
  let work = Promise.resolve();
  try {
    for (const [index, step] of plan.steps.entries()) {
      for (const [share, begin] of rollout)
        if (Math.floor(share * plan.steps.length) === index) work = work.then(begin);
      // Reported at the end.
      work.catch(() => undefined);
      await take(engine, step);
    }
  } finally {
    await work;
  }
  await engine.serveLinks(true);
  engine.passTo(plan.endS);
  await engine.untilSettled();
}

/** Moves the clock to a step; its records are sent while its definitions change. */
async function take(engine: ChangingEngine, { atS, links, events, changes }: PlannedStep): Promise<void> {
  const change = async (): Promise<void> => {
    for (const each of changes) await engine.changed.make(each);
  };
  engine.passTo(atS);
  await Promise.all([engine.sendLinks(links), engine.sendEvents(events), change()]);
  await engine.untilApplied(events.filter(({ isAwaited }) => isAwaited).map(({ data }) => data.event.id));
}

/** Expects that a run was about something. */
function expectMeaning({ awards, memberships, published, worlds }: Results): void {
  const later = awards.filter(({ version }) => version > 1);
  const generations = new Set(awards.map(({ occurrence }) => occurrence.split(':')[0]));
  expect(worlds.size).toBeGreaterThan(20);
  expect(later.length).toBeGreaterThan(50);
  expect([...generations]).toEqual(expect.arrayContaining(['g1', 'g2']));
  expect(memberships.length).toBeGreaterThan(30);
  expect(published.memberships.length).toBeGreaterThan(memberships.length);
}
