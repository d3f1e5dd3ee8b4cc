import { Manifest } from '../generators/yaml-file';
import { watchedCertificates } from './watched-certificates';

const object = (kind: string, spec: unknown): Manifest =>
  ({ apiVersion: 'v1', kind, metadata: { name: kind.toLowerCase() }, spec }) as Manifest;
const keep = { action: 'keepequal', sourceLabels: ['exported_namespace'], targetLabel: 'namespace' };
const monitor = (metricRelabelings: readonly unknown[], namespace = 'cert-manager'): Manifest =>
  object('PodMonitor', {
    namespaceSelector: { matchNames: [namespace] },
    podMetricsEndpoints: [{ port: 'http-metrics', metricRelabelings }],
  });
const probe = (url: string): Manifest => object('Probe', { targets: { staticConfig: { static: [url] } } });
const listener = (hostname: string, secret: string) => ({
  hostname,
  protocol: 'HTTPS',
  tls: { certificateRefs: [{ kind: 'Secret', name: secret }] },
});
const edge = object('Gateway', {
  listeners: [listener('a.example', 'tls'), listener('b.example', 'tls'), { hostname: 'a.example', protocol: 'HTTP' }],
});
const alerts = [object('PrometheusRule', {}), object('Certificate', {})];
const check = (...objects: readonly Manifest[]): readonly string[] =>
  watchedCertificates([{ name: 'o', objects }]).problems;

describe('the watch over certificates', () => {
  it('is complete with a scrape of cert-manager and a probe of each certificate of the edge', () => {
    expect(check(...alerts, monitor([keep]), probe('https://a.example/docs/'), edge)).toEqual([]);
  });

  it('needs nothing where there are no alerts or no certificates', () => {
    expect(check(alerts[0], edge)).toEqual([]);
    expect(check(alerts[1], edge)).toEqual([]);
  });

  it.each([
    [
      'without a scrape',
      [probe('https://a.example/'), monitor([keep], 'other')],
      ['no PodMonitor scrapes cert-manager'],
    ],
    [
      'with other namespaces in the scrape',
      [probe('https://b.example/'), monitor([{ ...keep, targetLabel: 'pod' }])],
      ['PodMonitor podmonitor keeps certificates of other namespaces'],
    ],
    ['without a probe', [monitor([keep])], ['no Probe looks at the certificate of b.example']],
    [
      'with a probe of another host, or without encryption',
      [monitor([keep]), probe('https://c.example/'), probe('http://a.example/')],
      ['no Probe looks at the certificate of b.example'],
    ],
  ])('is incomplete %s', (_what, objects, problems) => {
    expect(check(...alerts, edge, ...objects)).toEqual(problems.map((problem) => `o: ${problem}`));
  });
});
