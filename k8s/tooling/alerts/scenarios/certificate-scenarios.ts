import { AlertScenario } from './alert-scenario';

const labels = (name: string): string =>
  `name="${name}",exported_namespace="podium-test",issuer_name="public-acme",pod="cert-manager-1"`;
const renewal = (name: string): string => `certmanager_certificate_renewal_timestamp_seconds{${labels(name)}}`;
const expiration = (name: string): string => `certmanager_certificate_expiration_timestamp_seconds{${labels(name)}}`;
const edgeUrl = 'https://podium.example/';
const edge = `probe_ssl_earliest_cert_expiry{instance="${edgeUrl}"}`;
const redis = (service: string, pod: string): string =>
  `redis_certificate_expiry_timestamp_seconds{service="${service}",pod="${pod}"}`;

const dayS = 86_400;
/** Samples every 5 minutes for 30 h, beginning at the Unix time 0. */
const always = (value: number): string => `${value}x360`;
const far = always(60 * dayS);
/** All certificates are known, renewed later than the scenario and valid for long. */
const allWell = {
  [renewal('podium-edge')]: always(30 * dayS),
  [expiration('podium-edge')]: far,
  [edge]: far,
  [redis('gateway', 'a')]: far,
  [redis('ingestion', 'b')]: far,
};
/** Without the alert on absence, which is silent then. */
const reported = { [renewal('podium-edge')]: always(30 * dayS), [edge]: far };

/** Scenarios for the alerts about certificates. */
export const certificateScenarios: readonly AlertScenario[] = [
  {
    alert: 'CertificateNotRenewed',
    when: 'all are renewed and in use, and Redis without TLS has none',
    interval: '5m',
    series: { ...allWell, [redis('local', 'c')]: always(0) },
    at: '28h',
    fires: [],
  },
  {
    alert: 'CertificateNotRenewed',
    when: 'the issuer refuses for a day, after one of two certificates was due',
    interval: '5m',
    series: { ...allWell, [renewal('redis-limits')]: always(3_600) },
    at: '28h',
    fires: [{ name: 'redis-limits' }],
  },
  {
    alert: 'CertificateNotRenewed',
    when: 'a renewal takes some hours',
    interval: '5m',
    series: { ...allWell, [renewal('podium-edge')]: `3600x100 ${30 * dayS}x260` },
    at: '28h',
    fires: [],
  },
  {
    alert: 'CertificateNotRenewed',
    when: 'cert-manager has renewed, and the edge and one Redis still use the former ones',
    interval: '5m',
    series: { ...allWell, [edge]: always(9 * dayS), [redis('gateway', 'a')]: always(9 * dayS) },
    at: '2h',
    fires: [{ instance: edgeUrl }, { service: 'gateway' }],
  },
  {
    alert: 'CertificateNotRenewed',
    when: 'cert-manager is down',
    interval: '5m',
    series: { [edge]: far, [redis('gateway', 'a')]: far },
    at: '2h',
    fires: [{ source: 'cert-manager' }],
  },
  {
    alert: 'CertificateNotRenewed',
    when: 'nothing probes the edge, or its certificate has ended',
    interval: '5m',
    series: { [renewal('podium-edge')]: always(30 * dayS) },
    at: '2h',
    fires: [{ source: 'blackbox-exporter' }],
  },
  {
    alert: 'CertificateNotRenewed',
    when: 'cert-manager restarts',
    interval: '5m',
    series: { ...reported, [renewal('podium-edge')]: `${30 * dayS}x12 _x6 ${30 * dayS}x340` },
    at: '2h',
    fires: [],
  },
  {
    alert: 'CertificateExpires',
    when: 'three ends are near: of a secret, of the edge and of a Redis, while cert-manager reports one of them',
    interval: '5m',
    series: {
      [expiration('podium-edge')]: always(2 * dayS),
      [edge]: always(2 * dayS),
      [redis('ingestion', 'a')]: always(2 * dayS),
      [redis('ingestion', 'b')]: far,
    },
    at: '2h',
    fires: [{ name: 'podium-edge' }, { instance: edgeUrl }, { service: 'ingestion' }],
  },
  {
    alert: 'CertificateExpires',
    when: 'a certificate was never issued, and the others are valid for five days',
    interval: '5m',
    series: {
      [expiration('podium-edge')]: always(0),
      [edge]: always(5 * dayS),
      [redis('gateway', 'a')]: always(5 * dayS),
    },
    at: '2h',
    fires: [],
  },
];
