import { randomInt } from 'node:crypto';
import { startStackForTest } from '../tools/stack/whole-stack';
import { describeViolation, runFaults } from './faults/fault-run';
import { FaultEnvironment } from './faults/fault-environment';
import { allKinds } from './faults/kinds/all-fault-kinds';

jest.setTimeout(420_000);

describe('under faults', () => {
  it('loses no event, pays no award twice and completes all work (V1, V2, V3, V10, V12, V14)', async () => {
    const seed = Number(process.env.FAULTS_SEED ?? randomInt(2 ** 31));
    const startedMs = Date.now();
    const lines: string[] = [];
    const say = (line: string): void => void lines.push(`${((Date.now() - startedMs) / 1000).toFixed(1)} s  ${line}`);
    const kinds = allKinds.filter(({ inShortRun }) => inShortRun);
    const environment = await FaultEnvironment.open(1, say);
    const stack = await startStackForTest('faults', environment.stackOptions);
    try {
      const report = await runFaults(environment.around(stack), { seed, kinds, mode: 'lanes', say });
      process.stdout.write(`\n${report.summary}\n`);
      const found = report.violations.map(describeViolation);
      if (found.length > 0) process.stdout.write(`FAULTS_SEED=${seed}\n${lines.join('\n')}\n`);
      expect(found).toEqual([]);
      expect(report.linkChanges.length).toBeGreaterThan(0);
    } catch (error) {
      process.stdout.write(`FAULTS_SEED=${seed}\n${lines.slice(-40).join('\n')}\n`);
      throw error;
    } finally {
      await stack.dispose();
      await environment.close();
    }
  });
});
