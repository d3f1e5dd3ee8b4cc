import { Matcher, Selector, selectorsOf } from '../../k8s/tooling/prometheus/parse-promql';
import { certificateMetrics } from '../../k8s/tooling/alerts/certificate-alerts';
import { brokerMetrics, standbyMetrics } from '../../k8s/tooling/alerts/replica-alerts';
import { storeMetrics } from '../../k8s/tooling/alerts/store-alerts';
import { volumeMetrics } from '../../k8s/tooling/alerts/volume-alerts';
import { QueryInUse, recordedMetrics } from '../../k8s/tooling/checks/queries-in-use';
import { Sample } from './scrape';

/** Labels that Prometheus adds to every series of a target. */
const targetLabels = new Set(['job', 'namespace', 'pod', 'instance']);

/** Metrics that Prometheus itself records for a target. */
const ownMetrics = new Set(['up']);

/** Metrics that other programs report. */
const foreignMetrics = new Set([
  ...storeMetrics,
  ...standbyMetrics,
  ...brokerMetrics,
  ...volumeMetrics,
  ...certificateMetrics,
]);

/**
 * Labels whose values are all defined in this repository: an unknown value in a query is a typo. Values of other labels, such as
 * errors, may appear only later.
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

/** Returns one sentence for each metric, label or value that a query uses and no sample has. */
export function missingSeries(queries: readonly QueryInUse[], samples: readonly Sample[]): string[] {
  const byName = new Map<string, Sample[]>();
  for (const sample of samples) byName.set(sample.name, [...(byName.get(sample.name) ?? []), sample]);
  return queries.flatMap(({ place, expr }) =>
    selectorsOf(expr).flatMap((selector) => {
      const { metric } = selector;
      if (recordedMetrics.has(metric) || ownMetrics.has(metric) || foreignMetrics.has(metric)) return [];
      const own = byName.get(metric);
      if (!own) return [`${place}: no service has ${metric}`];
      return own.some((sample) => matchesSelector(sample, selector))
        ? []
        : [
            `${place}: no series of ${metric} has the labels that ${expr.slice(selector.from, selector.to)} and its grouping use`,
          ];
    }),
  );
}

function matchesSelector({ labels }: Sample, { matchers, groupedBy }: Selector): boolean {
  const usedLabels = [...matchers.map((matcher) => matcher.label), ...groupedBy].filter(
    (name) => !targetLabels.has(name),
  );
  return usedLabels.every((name) => name in labels) && matchers.every((matcher) => mayMatch(matcher, labels));
}

function mayMatch({ label, operator, value }: Matcher, labels: Readonly<Record<string, string>>): boolean {
  if (!namingLabels.has(label) || value.startsWith('$')) return true;
  if (operator === '=') return labels[label] === value;
  if (operator === '=~') return new RegExp(`^(?:${value})$`).test(labels[label]);
  return true;
}
