import { CheckList, CheckResult } from '../checks/check-list';
import { Count } from '../../../tools/test/count';

/** The result of a check of one deployment, or of the cluster. */
export interface Row {
  readonly check: string;
  readonly of: string;
  readonly milliseconds: number;
  readonly isPassed: boolean;
}

/** How often a line reports that a check is still running. */
const tickMs = 20_000;

/** Runs checks, prints a line for each as it ends, and at the end one table of all of them with their times. */
export class Report {
  private readonly list = new CheckList();
  private readonly rows: Row[] = [];

  /** Runs one check; the others run after a failed one. */
  async run(check: string, of: string, work: () => Promise<CheckResult>): Promise<void> {
    const startedAt = Date.now();
    const seconds = (): string => ((Date.now() - startedAt) / 1000).toFixed(0);
    const ticker = setInterval(() => console.log(`  … ${of}: ${check}, ${seconds()} s`), tickMs).unref();
    let isPassed = false;
    try {
      await this.list.run(`${of}: ${check}`, async () => {
        const result = await work();
        isPassed = result.problems.length === 0;
        return result;
      });
    } finally {
      clearInterval(ticker);
      this.rows.push({ check, of, milliseconds: Date.now() - startedAt, isPassed });
    }
  }

  get count(): Count {
    return this.list.count;
  }

  /** The table: a row for each check, a column for each deployment and the cluster. */
  tableOf(columns: readonly string[]): string {
    return formatTable(this.rows, columns);
  }
}

/** Checks as rows, in the order of their first result; deployments and the cluster as columns. */
export function formatTable(rows: readonly Row[], columns: readonly string[]): string {
  const checks = [...new Set(rows.map(({ check }) => check))];
  const cell = (check: string, of: string): string => {
    const row = rows.find((each) => each.check === check && each.of === of);
    return row ? `${row.isPassed ? '' : 'failed '}${(row.milliseconds / 1000).toFixed(1)} s` : '';
  };
  const lines = [['', ...columns], ...checks.map((check) => [check, ...columns.map((of) => cell(check, of))])];
  const widths = lines[0].map((_, at) => Math.max(...lines.map((line) => line[at].length)));
  return lines
    .map((line) => line.map((text, at) => (at === 0 ? text.padEnd(widths[at]) : text.padStart(widths[at]))).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}
