import { CheckList, CheckResult } from '../checks/check-list';
import { Count } from '../../../tools/test/count';

/** A check that has been made: of one deployment, or of the cluster. */
export interface Row {
  readonly check: string;
  readonly of: string;
  readonly milliseconds: number;
  readonly isPassed: boolean;
}

/** How often a line says of what goes on that it goes on. */
const tickMs = 20_000;

/** Runs checks, prints a line for each as it ends, and at the end one table of all of them with their times. */
export class Report {
  private readonly list = new CheckList();
  private readonly rows: Row[] = [];

  /** Runs one check; a failed one does not keep the others back. */
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

  /** The table, a line for each check and a column for each of what was checked. */
  tableOf(columns: readonly string[]): string {
    return formatTable(this.rows, columns);
  }
}

/** Checks as lines, in the order of their first row, and what they are of as columns. */
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
