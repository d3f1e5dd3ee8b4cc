import type { Count } from './count';
import type { Progress } from '../stack/progress';
import { Finding, scanRecord } from '../secret-scan/scan-record';

const shownFindings = 30;

/** Scans the record of a run; secrets in it are one failed check, which names them. */
export async function checkRecord(folder: string, progress: Progress): Promise<Count> {
  const { findings } = await progress.step(
    'Secrets in logs, topics, pages, metrics, traces',
    () => scanRecord(folder),
    ({ secrets, bytes }) => `${secrets} secrets, ${Math.round(bytes / 1e6)} MB`,
  );
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
