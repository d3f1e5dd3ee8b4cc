/** A Go module that contains the definitions of custom resources as files. */
export interface DefinitionModule {
  /** The component's name in docs/operations/deployment.md. */
  readonly name: string;
  readonly path: string;
  readonly version: string;
  /** The digest of the module's files, as in a go.sum. */
  readonly sum: string;
  /** Path of the files in the module. */
  readonly folder: string;
  /** Texts from which the program makes the names of metrics that alerts use, by path of their file in the module. */
  readonly metrics?: Readonly<Record<string, readonly string[]>>;
}

/** Versions of the cluster's parts that the manifests are checked against; docs/operations/deployment.md lists them too. */
export const definitionModules: readonly DefinitionModule[] = [
  {
    name: 'Gateway API',
    path: 'sigs.k8s.io/gateway-api',
    version: 'v1.6.3',
    sum: 'h1:lKpJa5bGlraC/QeACvCpsHLdmO6y0iKfzVl6gzaFEYc=',
    folder: 'config/crd/standard',
  },
  {
    name: 'cert-manager',
    path: 'github.com/cert-manager/cert-manager',
    version: 'v1.21.2',
    sum: 'h1:UWgoYM+KLNtRlqmoWOKjKBOBUPVHeepQ6/ac3ERJW68=',
    folder: 'deploy/crds',
    metrics: {
      'internal/collectors/certificate_collector.go': [
        'certmanager_certificate_renewal_timestamp_seconds',
        'certmanager_certificate_expiration_timestamp_seconds',
      ],
    },
  },
  {
    name: 'External Secrets',
    path: 'github.com/external-secrets/external-secrets',
    version: 'v1.3.2',
    sum: 'h1:u2J8RjlHIeF0oZCqtl92adI/uZWUwOesJIDkfql6LqQ=',
    folder: 'config/crds/bases',
  },
  {
    name: 'CloudNativePG',
    path: 'github.com/cloudnative-pg/cloudnative-pg',
    version: 'v1.30.0',
    sum: 'h1:fnhVq44xXx97MNiuvJsPrX1vSjYbgdyBK5MSGfdHdp0=',
    folder: 'config/crd/bases',
    metrics: {
      'pkg/management/postgres/webserver/metricserver/pg_collector.go': ['up', 'pg_wal_archive_status'],
      'config/manager/default-monitoring.yaml': [
        'last_archived_time',
        'last_failed_time',
        'seconds_since_last_archival',
        'streaming_replicas',
      ],
    },
  },
  {
    name: 'Barman plugin',
    path: 'github.com/cloudnative-pg/plugin-barman-cloud',
    version: 'v0.15.0',
    sum: 'h1:gNVytrzzYUE08wxLDrjfJqy1FPPSFkMe1OEr4s4pVI0=',
    folder: 'config/crd/bases',
    metrics: { 'internal/cnpgi/instance/metrics.go': ['last_available_backup_timestamp'] },
  },
  {
    name: 'KEDA',
    path: 'github.com/kedacore/keda/v2',
    version: 'v2.21.0',
    sum: 'h1:R6z2HZvstK4RLUMxroNACzBj74xGxt3kG59b5Xc+Xps=',
    folder: 'config/crd/bases',
  },
  {
    name: 'Prometheus operator',
    path: 'github.com/prometheus-operator/prometheus-operator',
    version: 'v0.85.0',
    sum: 'h1:M5xLCLEoaW2IJfnuCwFzzpL+jSVQu3KGT84Pye+fW8s=',
    folder: 'example/prometheus-operator-crd',
  },
];

/** Strimzi has its definitions in no Go module: its generator, whose pom pins the version, generates them from these classes. */
export const strimzi = {
  pom: 'strimzi/pom.xml',
  generator: 'io.strimzi.crdgenerator.CrdGenerator',
  classes: [
    'io.strimzi.api.kafka.model.kafka.Kafka',
    'io.strimzi.api.kafka.model.nodepool.KafkaNodePool',
    'io.strimzi.api.kafka.model.topic.KafkaTopic',
    'io.strimzi.api.kafka.model.user.KafkaUser',
  ],
} as const;
