import { CalmReport, describeCalm } from './calm-client';
import { operationsOf, documentNames } from './open-api';
import { Processes } from './processes';
import { Tally, describeFinding } from './tally';

/** The result of a run. */
export interface InputReport {
  /** The findings as text; empty when there are none. */
  readonly findings: readonly string[];
  readonly summary: string;
}

/** The maximum wait of a well-behaved client while others hold connections: far below the timeouts of slow clients. */
const calmMaxMs = 5_000;
/** The maximum share of well-framed requests with a 429, and of those repeated after a 503. */
const maxShare = 0.01;

/** Combines findings and measurements. */
export function reportOf(run: {
  tally: Tally;
  processes: Processes;
  calm: CalmReport;
  after: CalmReport;
  seed: number;
}): InputReport {
  const { tally, processes, calm, after, seed } = run;
  const kinds = ['json', ...documentNames] as const;
  const asked = kinds.reduce((sum, kind) => sum + tally.requests(kind), 0);
  const limited = tally.limited(kinds);
  const findings = [
    ...tally.findings.map(describeFinding),
    ...calm.failures.map((failure) => `while connections were held: ${failure}`),
    ...after.failures.map((failure) => `afterwards: ${failure}`),
    ...processes.findings(),
    ...kinds.filter((kind) => tally.successes(kind) === 0).map((kind) => `no request of ${kind} got a 2XX`),
  ];
  if (limited > maxShare * asked) findings.push(`${limited} of ${asked} responses were 429: too few partners`);
  if (tally.repeated > maxShare * asked)
    findings.push(`${tally.repeated} of ${asked} requests were repeated after a 503 or no response`);
  if (calm.maxMs > calmMaxMs)
    findings.push(`a well-behaved client waited ${calm.maxMs} ms for ${calm.slowest} while connections were held`);
  const summary = [
    `seed ${seed}, ${tally.asked()} requests, ${tally.repeated} of them repeated after a 503 or no response`,
    tally.table(),
    `well-behaved client while connections were held: ${describeCalm(calm)}`,
    describeCoverage(tally),
    processes.table(),
  ].join('\n');
  return { findings, summary };
}

/** Lists the operations without a successful request: the run checked only their refusals. */
function describeCoverage(tally: Tally): string {
  const operations = documentNames.flatMap(operationsOf);
  const refused = operations.filter(({ document, id }) => !tally.hasSucceeded(document, id)).map(({ id }) => id);
  const names = refused.length === 0 ? '' : `; these were only refused: ${refused.join(', ')}`;
  return `operations answered 2XX at least once: ${operations.length - refused.length} of ${operations.length}${names}`;
}
