import { journeyFolder, specFolders } from './chosen-specs';

/** Folders of operators' tools: `npm run check:operations` runs their specs and end-to-end tests. */
const operatorTools = '{apps/operator,k8s/tooling,tools/stack}';
const operatorJourneys = `${journeyFolder}/operations`;

/** Files that run for about half a minute or longer, because they kill processes, start brokers, drive a browser or wait for time limits. */
const longFiles = '*.long{,.db}.spec.ts';

const allSpecs = `{${specFolders.join()}}/**/*.spec.ts`;
const allJourneys = `${journeyFolder}/**/*.spec.ts`;

/** A journey that runs among the specs: its stack is two services, its limits are minutes, and most of its time is waiting. */
const journeyAmongSpecs = `${journeyFolder}/competition-projection.long.spec.ts`;

/** Journeys of operations that measure, load all cores or have short time limits: nothing may run beside them. */
const timedJourneys = `${operatorJourneys}/{budget-race,rolling,rotation}.spec.ts`;

/** Arguments of jest that select the files of a command. */
export interface SpecFiles {
  /** They run side by side. */
  readonly specs: readonly string[];
  /** End-to-end tests that run two at a time, because each waits for much of its time. */
  readonly pairedJourneys?: readonly string[];
  /** End-to-end tests that run one at a time. */
  readonly journeys: readonly string[];
}

/** The files of each command, and those among which the arguments of `npm test` choose end-to-end tests. */
export const specFiles = {
  test: {
    specs: testMatch(allSpecs, `!**/${operatorTools}/**`, `!**/${longFiles}`),
    journeys: testMatch(allJourneys, `!**/${operatorJourneys}/**`, `!**/${longFiles}`),
  },
  long: {
    specs: testMatch(`{${specFolders.join()}}/**/${longFiles}`, `!**/${operatorTools}/**`, journeyAmongSpecs),
    journeys: testMatch(`${journeyFolder}/**/${longFiles}`, `!**/${operatorJourneys}/**`, `!**/${journeyAmongSpecs}`),
  },
  operations: {
    specs: testMatch(`${operatorTools}/**/*.spec.ts`),
    pairedJourneys: testMatch(`${operatorJourneys}/**/*.spec.ts`, `!**/${timedJourneys}`),
    journeys: testMatch(timedJourneys),
  },
} satisfies Record<string, SpecFiles>;

export const allJourneyFiles = testMatch(allJourneys);

/** Files below the checkout, and patterns of excluded files, which begin with an exclamation mark. */
function testMatch(...patterns: string[]): string[] {
  return ['--testMatch', ...patterns.map((pattern) => (pattern.startsWith('!') ? pattern : `<rootDir>/${pattern}`))];
}
