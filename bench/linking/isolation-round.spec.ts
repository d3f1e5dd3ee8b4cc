import { isolationRound } from './isolation-round';

describe('isolationRound', () => {
  it('ends its trouble before the next round measures without it', async () => {
    const log: string[] = [];
    const step = (name: string) => async () => log.push(name);
    const steps = {
      ...{ neither: step('neither'), begin: step('due'), both: step('both') },
      untilOver: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        log.push('refreshed');
      },
    };
    for (let round = 1; round <= 2; round++) await isolationRound(steps);
    expect(log.join()).toBe('neither,due,both,refreshed,neither,due,both,refreshed');
  });
});
