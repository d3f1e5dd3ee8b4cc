import type { Count } from './count';
import type { Progress } from '../stack/progress';
import { Finding, scanRecord } from '../secret-scan/scan-record';

const shownFindings = 30;

/** The least that a whole run records: with less, the recorder has not run in some processes. */
const leastOfWholeRun = { secrets: 1_000, bytes: 10_000_000 };

/**
 * Scans the record of a run; secrets in it are one failed check, which names them. So is a record of a whole run with too
 * little in it; a run of some specs may record little or nothing.
 */
export async function checkRecord(folder: string, progress: Progress, isWholeRun: boolean): Promise<Count> {
  const { findings, secrets, bytes } = await progress.step(
    'Secrets in logs, topics, pages, metrics, traces',
    () => scanRecord(folder),
    ({ secrets, bytes }) => `${secrets} secrets, ${Math.round(bytes / 1e6)} MB`,
  );
  if (isWholeRun && (secrets < leastOfWholeRun.secrets || bytes < leastOfWholeRun.bytes)) {
    console.error(
      `\nError: the run has recorded ${secrets} secrets and ${bytes} bytes, fewer than ${leastOfWholeRun.secrets} and ` +
        `${leastOfWholeRun.bytes}: see why processes did not load tools/secret-scan/recorder.cjs.`,
    );
    return { passed: 0, failed: 1 };
  }
  if (findings.length === 0) return { passed: 1, failed: 0 };
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const group = `${finding.kind} ${finding.encoding} ${finding.file}`;
    groups.set(group, [...(groups.get(group) ?? []), finding]);
  }
  console.error(`\nError: ${findings.length} secrets are where they must not be:`);
  for (const [first, ...others] of [...groups.values()].slice(0, shownFindings)) {
    const { kind, encoding, file, offset, context } = first;
    console.error(`  ${kind} (${encoding}) in ${file} at byte ${offset}, and ${others.length} more:\n    ${context}`);
  }
  return { passed: 0, failed: 1 };
}
