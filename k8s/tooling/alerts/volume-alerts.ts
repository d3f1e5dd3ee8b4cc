import { CauseAlert } from './cause-alert';

const available = 'kubelet_volume_stats_available_bytes';
const capacity = 'kubelet_volume_stats_capacity_bytes';

/** Metrics of the kubelets: each reports the volumes of its node's pods, with the namespace of their claims. */
export const volumeMetrics: ReadonlySet<string> = new Set([available, capacity]);

/** The kubelet of a former node may still report a volume that has moved. */
const free = `min by (persistentvolumeclaim) (${available} / ${capacity})`;
const secondsOfFourHours = 14_400;

/** Alerts on the volumes of Postgres and Kafka. Redis has none. */
export const volumeAlerts: readonly CauseAlert[] = [
  {
    name: 'VolumeFills',
    severity: 'ticket',
    expr: `${free} < 0.25\nor label_replace(absent(${available}), "source", "kubelet", "", "")`,
    for: '1h',
    summary:
      '{{ if $labels.source }}Nothing reports how full volumes are{{ else }}Less than a quarter of the volume {{ $labels.persistentvolumeclaim }} is free{{ end }}',
    description:
      'Postgres or Kafka keeps more than its volume was sized for, or nothing reports the volumes (source). When it is full, Postgres stops, or the broker does.',
  },
  {
    name: 'VolumeAlmostFull',
    severity: 'page',
    expr: [
      `${free} < 0.1`,
      // Only below a third: what a rebuild or a broker without its data copies in an hour does not go on.
      `or (${free} < 0.33 and min by (persistentvolumeclaim) (predict_linear(${available}[1h], ${secondsOfFourHours})) < 0)`,
    ].join('\n'),
    for: '5m',
    summary: '{{ $value | humanizePercentage }} of the volume {{ $labels.persistentvolumeclaim }} is free',
    description:
      'Less than a tenth is free, or at the pace of the last hour nothing will be in four hours. A full volume stops Postgres: events are answered 503, nothing is awarded. A full volume of Kafka stops its broker, and those of the others fill as fast.',
  },
];
