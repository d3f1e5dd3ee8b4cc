import { Matcher, Selector, selectorsOf } from '../../k8s/tooling/promql/parse-promql';
import { QueryInUse, recordedMetrics } from '../../k8s/tooling/promql/queries-in-use';
import { Sample } from './scrape';

/** What Prometheus adds to every series of a target. */
const targetLabels = new Set(['job', 'namespace', 'pod', 'instance']);

/** What Prometheus itself tells of a target. */
const ownMetrics = new Set(['up']);

/**
 * Labels whose values come from our own tables, so that a value that nothing has is a misspelt one. Those of others are what
 * may happen, such as errors.
 */
const namingLabels = new Set([
  'route',
  'topic',
  'group',
  'service',
  'state',
  'operation',
  'le',
  'status_class',
  'pool',
]);

/** What queries ask for and no sample has, one sentence each. */
export function missingSeries(queries: readonly QueryInUse[], samples: readonly Sample[]): string[] {
  const byName = new Map<string, Sample[]>();
  for (const sample of samples) byName.set(sample.name, [...(byName.get(sample.name) ?? []), sample]);
  return queries.flatMap(({ place, expr }) =>
    selectorsOf(expr).flatMap((selector) => {
      const { metric } = selector;
      if (recordedMetrics.has(metric) || ownMetrics.has(metric)) return [];
      const own = byName.get(metric);
      if (!own) return [`${place}: no service has ${metric}`];
      return own.some((sample) => answers(sample, selector))
        ? []
        : [
            `${place}: no series of ${metric} has what ${expr.slice(selector.from, selector.to)} and its groups ask for`,
          ];
    }),
  );
}

function answers({ labels }: Sample, { matchers, groupedBy }: Selector): boolean {
  const asked = [...matchers.map((matcher) => matcher.label), ...groupedBy].filter((name) => !targetLabels.has(name));
  return asked.every((name) => name in labels) && matchers.every((matcher) => mayMatch(matcher, labels));
}

function mayMatch({ label, operator, value }: Matcher, labels: Readonly<Record<string, string>>): boolean {
  if (!namingLabels.has(label) || value.startsWith('$')) return true;
  if (operator === '=') return labels[label] === value;
  if (operator === '=~') return new RegExp(`^(?:${value})$`).test(labels[label]);
  return true;
}
