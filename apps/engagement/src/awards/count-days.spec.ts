import { tasksWithRate } from './count-days';
import { TaskFinding } from './task-finding';

describe('tasks whose awards of a day are counted', () => {
  it('are those of which any version has a rate, also when the newest one has none', () => {
    const task = (definitionId: string, rates: readonly (number | undefined)[]) => ({
      task: { definitionId, versions: rates.map((maxPerDay) => ({ maxPerDay })) } as unknown as TaskFinding['task'],
    });
    const findings = [task('none', [undefined]), task('ends', [10, undefined]), task('begins', [undefined, 10])];
    expect([...tasksWithRate(findings)]).toEqual(['ends', 'begins']);
  });
});
