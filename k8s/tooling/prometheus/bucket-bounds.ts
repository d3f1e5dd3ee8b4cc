import { Matcher, selectorsOf } from './parse-promql';

/** Labels whose values are numbers, which Prometheus 3 writes as floats: `le="1"` of a target is stored as `le="1.0"`. */
const numberLabels = ['le', 'quantile'];

/** A matcher of the bucket up to a whole number, as Prometheus 2 and Prometheus 3 store it. */
export function upTo(bound: number): string {
  if (!Number.isInteger(bound)) throw new Error(`${bound} is written alike by all versions: match it as it is`);
  return `le=~"${bound}([.]0)?"`;
}

/** A series with the labels that Prometheus 3 stores for it. */
export function storedByPrometheus3(series: string): string {
  return series.replaceAll(new RegExp(`\\b(${numberLabels.join('|')})="(\\d+)"`, 'g'), '$1="$2.0"');
}

/** The matchers of a query that find a series of one version of Prometheus and not the same series of another. */
export function versionDependentMatchers(query: string): string[] {
  return selectorsOf(query).flatMap(({ metric, matchers }) =>
    matchers
      .filter((matcher) => numberLabels.includes(matcher.label) && dependsOnVersion(matcher))
      .map(({ label, operator, value }) => `${metric}{${label}${operator}"${value}"}`),
  );
}

function dependsOnVersion({ operator, value }: Matcher): boolean {
  const isPattern = operator === '=~' || operator === '!~';
  const isFound = (text: string): boolean => (isPattern ? new RegExp(`^(?:${value})$`).test(text) : text === value);
  const numbers = value.match(/\d+([.]\d+)?/g) ?? [];
  return numbers
    .map(Number)
    .some((number) => Number.isInteger(number) && isFound(`${number}`) !== isFound(`${number}.0`));
}
