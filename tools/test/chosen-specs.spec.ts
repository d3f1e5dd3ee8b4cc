import { chosenSpecs } from './chosen-specs';

describe('the arguments of npm test', () => {
  it.each([
    [['apps/gateway'], { specs: ['apps/gateway'], journeys: null }],
    [['libs/runtime/src/app', './tools/lint'], { specs: ['libs/runtime/src/app', './tools/lint'], journeys: null }],
    [['sdk/typescript'], { specs: ['sdk/typescript'], journeys: null }],
    [['e2e/operations/previous-release'], { specs: null, journeys: ['e2e/operations/previous-release'] }],
    [['e2e/demo.spec.ts', '-t', 'pays'], { specs: null, journeys: ['e2e/demo.spec.ts', '-t', 'pays'] }],
    [['e2e.spec'], { specs: null, journeys: ['e2e.spec'] }],
    [
      ['apps/linkage', 'e2e/demo.spec.ts', '--verbose'],
      { specs: ['apps/linkage', '--verbose'], journeys: ['e2e/demo.spec.ts', '--verbose'] },
    ],
    [['rate-limiter'], { specs: ['rate-limiter'], journeys: null }],
    [['-t', 'pays'], { specs: ['-t', 'pays'], journeys: null }],
  ])('%j run where their paths lie', (args, chosen) => {
    expect(chosenSpecs(args)).toEqual(chosen);
  });
});
