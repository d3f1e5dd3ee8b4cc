import { CalmReport, describeCalm } from './calm-client';
import { operationsOf, documentNames } from './open-api';
import { Processes } from './processes';
import { Tally, describeFinding } from './tally';

/** What a run showed. */
export interface InputReport {
  /** What must not be, for people; empty when all is well. */
  readonly findings: readonly string[];
  readonly summary: string;
}

/** Nobody who behaves may wait longer because of others who do not: far below what the slow ones are given. */
const calmMaxMs = 5_000;
/** Of the requests with right framing: so many may be answered 429, and so many 503 at first and then well. */
const maxShare = 0.01;

/** Puts together what was found and what was measured. */
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
    ...calm.failures.map((failure) => `beside held connections: ${failure}`),
    ...after.failures.map((failure) => `afterwards: ${failure}`),
    ...processes.findings(),
  ];
  if (limited > maxShare * asked) findings.push(`${limited} of ${asked} requests were answered 429: too few partners`);
  if (tally.repeated > maxShare * asked)
    findings.push(`${tally.repeated} of ${asked} requests were answered 503 or not at all until they were repeated`);
  if (calm.maxMs > calmMaxMs)
    findings.push(`a well-behaved client waited ${calm.maxMs} ms for ${calm.slowest} beside held connections`);
  const summary = [
    `seed ${seed}, ${tally.asked()} requests, ${tally.repeated} of them repeated after 503 or no answer`,
    tally.table(),
    `client that behaves, beside held connections: ${describeCalm(calm)}`,
    describeCoverage(tally),
    processes.table(),
  ].join('\n');
  return { findings, summary };
}

/** Of which operations no request got as far as success: of those only refusals were looked at. */
function describeCoverage(tally: Tally): string {
  const operations = documentNames.flatMap(operationsOf);
  const refused = operations.filter(({ document, id }) => !tally.hasSucceeded(document, id)).map(({ id }) => id);
  const names = refused.length === 0 ? '' : `; of these only refusals were seen: ${refused.join(', ')}`;
  return `operations answered 2XX at least once: ${operations.length - refused.length} of ${operations.length}${names}`;
}
