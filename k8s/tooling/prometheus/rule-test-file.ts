import { stringify } from 'yaml';

/** A query and the samples it must return. */
export interface RuleTestQuery {
  readonly at: string;
  readonly expr: string;
  readonly samples: readonly { readonly labels: string; readonly value: number }[];
}

/** Series, and queries on the results of the rules. */
export interface RuleTest {
  readonly name: string;
  /** Between samples, a Prometheus duration. */
  readonly interval: string;
  readonly series: Readonly<Record<string, string>>;
  readonly queries: readonly RuleTestQuery[];
}

/** A file of `promtool test rules`. */
export interface RuleTestFile {
  readonly name: string;
  /** Names of the groups that are loaded: others would only cost time. */
  readonly groups: RegExp;
  readonly evaluationInterval: string;
  readonly tests: readonly RuleTest[];
}

/** The file's text for promtool. */
export function promtoolTests(file: RuleTestFile, ruleFiles: readonly string[]): string {
  return stringify({
    rule_files: ruleFiles,
    evaluation_interval: file.evaluationInterval,
    tests: file.tests.map(({ name, interval, series, queries }) => ({
      name,
      interval,
      input_series: Object.entries(series).map(([selector, values]) => ({ series: selector, values })),
      promql_expr_test: queries.map(({ at, expr, samples }) => ({ expr, eval_time: at, exp_samples: samples })),
    })),
  });
}
