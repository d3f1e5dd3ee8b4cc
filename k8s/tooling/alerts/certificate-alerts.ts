import { CauseAlert } from './cause-alert';

const renewal = 'certmanager_certificate_renewal_timestamp_seconds';
const expiration = 'certmanager_certificate_expiration_timestamp_seconds';
const edge = 'probe_ssl_earliest_cert_expiry';
const redis = 'redis_certificate_expiry_timestamp_seconds';

/** Metrics of cert-manager 1.21 and, with `probe_`, of the blackbox exporter 0.24 or newer, which looks at the edge. */
export const certificateMetrics: ReadonlySet<string> = new Set([
  renewal,
  expiration,
  edge,
  'probe_success',
  'probe_http_status_code',
]);

const dayS = 86_400;
/** Certificates of 90 days are renewed 30 days before their end, those of 45 days 15. */
const lateS = 10 * dayS;
const urgentS = 3 * dayS;

/** Certificates in use that end within a time: those that Redis and the edge show, whatever cert-manager says. */
const shownEndingWithin = (seconds: number): string[] => [
  `min by (service) (${redis} > 0) - time() < ${seconds}`,
  `or min by (instance) (${edge}) - time() < ${seconds}`,
];

/** Alerts on certificates that cert-manager should renew. */
export const certificateAlerts: readonly CauseAlert[] = [
  {
    name: 'CertificateNotRenewed',
    severity: 'ticket',
    // 0 until a certificate is issued. Several instances of cert-manager may report one.
    expr: [
      `time() - max by (name) (${renewal}) > ${dayS}`,
      `or ${shownEndingWithin(lateS).join('\n')}`,
      `or label_replace(absent(${renewal}), "source", "cert-manager", "", "")`,
      `or label_replace(absent(${edge}), "source", "blackbox-exporter", "", "")`,
    ].join('\n'),
    for: '1h',
    summary:
      'The certificate of {{ or $labels.name $labels.instance $labels.service $labels.source }} is not renewed, or unknown',
    description:
      'cert-manager has not renewed or issued it for a day, a server still uses one that ends within 10 days, or nothing reports certificates (source). cert-manager is down, its issuer refuses, or a server has not loaded the renewed one.',
  },
  {
    name: 'CertificateExpires',
    severity: 'page',
    expr: [
      `max by (name) (${expiration} > 0) - time() < ${urgentS}`,
      `or ${shownEndingWithin(urgentS).join('\n')}`,
    ].join('\n'),
    for: '15m',
    summary:
      'The certificate of {{ or $labels.name $labels.instance $labels.service }} ends in {{ $value | humanizeDuration }}',
    description:
      'From then on partners and users cannot connect to the edge; gateways (redis-limits) or ingestion (redis-marks) run without Redis.',
  },
];
