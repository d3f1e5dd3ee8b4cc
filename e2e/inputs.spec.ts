import { randomInt } from 'node:crypto';
import { DemoStack, startDemoStack } from './support/demo-stack';
import { runInputs } from './inputs/input-run';

jest.setTimeout(420_000);

describe('inputs of all kinds', () => {
  let demo: DemoStack;

  beforeAll(async () => {
    demo = await startDemoStack('inputs');
  });

  afterAll(async () => {
    await demo?.dispose();
  });

  it('are answered in the shape of their edge, end nothing and take nothing from others (V7, V8, V9)', async () => {
    const seed = Number(process.env.INPUTS_SEED ?? randomInt(2 ** 31));
    const report = await runInputs(demo.stack, {
      seed,
      requests: 6_000,
      rounds: 1,
      partners: 8,
      held: { each: 4, forMs: 12_000 },
      say: () => undefined,
    });
    process.stdout.write(`\n${report.summary}\n`);
    expect(report.findings).toEqual([]);
  });
});
