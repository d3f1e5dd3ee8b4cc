import { printFailure, StackFailure } from '../../../tools/stack/failure';
import { Count } from '../../../tools/test/count';

/** The result of a check: any problem fails it; `detail` says what was checked. */
export interface CheckResult {
  readonly detail: string;
  readonly problems: readonly string[];
}

/** Runs checks one after the other, prints a line for each, and counts. The others run after a failed one. */
export class CheckList {
  private passed = 0;
  private failed = 0;

  /** Runs one check; an error that the user can fix counts as its failure. */
  async run(name: string, check: () => Promise<CheckResult> | CheckResult): Promise<void> {
    const startedAt = Date.now();
    const seconds = (): string => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;
    try {
      const { detail, problems } = await check();
      if (problems.length === 0) return this.pass(`${name}: ${detail} (${seconds()})`);
      this.fail(`${name}: ${problems.length} findings (${seconds()})`);
      for (const problem of problems) console.log(`    ${problem}`);
    } catch (error) {
      this.fail(`${name} (${seconds()})`);
      if (!(error instanceof StackFailure)) throw error;
      printFailure(error);
    }
  }

  /** What has been counted. */
  get count(): Count {
    return { passed: this.passed, failed: this.failed };
  }

  private pass(line: string): void {
    this.passed++;
    console.log(`✓ ${line}`);
  }

  private fail(line: string): void {
    this.failed++;
    console.log(`✗ ${line}`);
  }
}
