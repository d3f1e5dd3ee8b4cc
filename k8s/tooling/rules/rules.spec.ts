import { Overlay } from '../checks/overlays';
import { networkPolicies } from '../generators/network-policies';
import { Manifest } from '../generators/yaml-file';
import { parseAllDocuments } from 'yaml';
import { capacity } from './capacity';
import { deployedServices } from './deployed-services';
import { disruption } from './disruption-budgets';
import { lifecycle } from './pod-lifecycle';
import { networkConnections } from './network-connections';
import { podSecurity } from './pod-security';
import { references } from './references';
import { separation } from './deployment-separation';
import { deploymentNames } from '../service-needs';

interface Changes {
  pod?: object;
  container?: object;
  deployment?: object;
}

const labels = { 'app.kubernetes.io/name': 'engagement', 'app.kubernetes.io/component': 'service' };

/** A service that satisfies every rule, with changes. */
function service({ pod, container, deployment }: Changes = {}): Manifest {
  const probe = (path: string) => ({ httpGet: { path: `/health/${path}`, port: 'health' } });
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'engagement', labels },
    spec: {
      replicas: 2,
      minReadySeconds: 10,
      strategy: { rollingUpdate: { maxUnavailable: 0 } },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: 'engagement',
          automountServiceAccountToken: false,
          terminationGracePeriodSeconds: 45,
          securityContext: { runAsNonRoot: true, runAsUser: 10_001, seccompProfile: { type: 'RuntimeDefault' } },
          topologySpreadConstraints: [
            { topologyKey: 'kubernetes.io/hostname' },
            { topologyKey: 'topology.kubernetes.io/zone' },
          ],
          containers: [
            {
              name: 'service',
              image: 'registry.example/podium/podium-engagement:1.0.0',
              env: [
                { name: 'NODE_OPTIONS', value: '--max-old-space-size=384' },
                { name: 'DRAIN_SECONDS', value: '15' },
                { name: 'STOP_SECONDS', value: '25' },
              ],
              startupProbe: { ...probe('startup'), periodSeconds: 2, failureThreshold: 450 },
              readinessProbe: probe('ready'),
              livenessProbe: probe('live'),
              resources: { limits: { memory: '512Mi' } },
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
              ...container,
            },
          ],
          ...pod,
        },
      },
      ...deployment,
    },
  };
}

const account: Manifest = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'engagement' },
  automountServiceAccountToken: false,
};

const budget = (spec: object): Manifest => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'engagement' },
  spec: {
    maxUnavailable: 1,
    unhealthyPodEvictionPolicy: 'AlwaysAllow',
    selector: { matchLabels: { 'app.kubernetes.io/name': 'engagement' } },
    ...spec,
  },
});

const scaler = (max: number): Manifest => ({
  apiVersion: 'keda.sh/v1alpha1',
  kind: 'ScaledObject',
  metadata: { name: 'engagement' },
  spec: {
    scaleTargetRef: { name: 'engagement' },
    minReplicaCount: 2,
    maxReplicaCount: max,
    triggers: [
      { type: 'kafka', metadata: { topic: 'ingestion.user-events.v1', consumerGroup: 'engagement.user-events' } },
    ],
  },
});

const overlay = (...objects: Manifest[]): Overlay => ({ name: 'test', objects });
const deployed = (changes?: Changes): Overlay[] => [overlay(service(changes), account)];

describe('pod security', () => {
  it.each<[string, Changes]>([
    [
      'may run as root',
      { pod: { securityContext: { runAsUser: 10_001, seccompProfile: { type: 'RuntimeDefault' } } } },
    ],
    ['no seccomp profile', { pod: { securityContext: { runAsNonRoot: true, runAsUser: 10_001 } } }],
    ["host's namespaces", { pod: { hostNetwork: true } }],
    ['mounts a service-account token', { pod: { automountServiceAccountToken: undefined } }],
    ['no service account of its own', { pod: { serviceAccountName: undefined } }],
    ['not allowed', { pod: { volumes: [{ name: 'host', hostPath: { path: '/' } }] } }],
    [
      'can be written',
      { container: { securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } } },
    ],
    [
      'keeps capabilities',
      { container: { securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true } } },
    ],
  ])('finds a pod that %s', (problem, changes) => {
    expect(podSecurity(deployed()).problems).toEqual([]);
    expect(podSecurity(deployed(changes)).problems.join()).toContain(problem);
  });
});

describe('probes, shutdown and heap', () => {
  it.each<[string, Changes]>([
    ['killed before its stop', { pod: { terminationGracePeriodSeconds: 40 } }],
    ['loses an instance', { deployment: { strategy: { rollingUpdate: { maxUnavailable: 1 } } } }],
    ['heap of 38 %', { container: { resources: { limits: { memory: '1Gi' } } } }],
    [
      'no probe of /health/live',
      { container: { livenessProbe: { httpGet: { path: '/health/ready', port: 'health' } } } },
    ],
    ['not spread over', { pod: { topologySpreadConstraints: [] } }],
    [
      'restarted after 300 s of waiting',
      {
        container: {
          startupProbe: {
            httpGet: { path: '/health/startup', port: 'health' },
            ...{ periodSeconds: 2, failureThreshold: 150 },
          },
        },
      },
    ],
  ])('finds a service that is or has %s', (problem, changes) => {
    expect(lifecycle(deployed()).problems).toEqual([]);
    expect(lifecycle(deployed(changes)).problems.join()).toContain(problem);
  });
});

describe('disruption', () => {
  const check = (spec: object, changes?: Changes) =>
    disruption([overlay(service(changes), budget(spec))]).problems.join();

  it('accepts a budget that leaves an instance', () => {
    expect(check({})).toBe('');
  });

  it.each<[string, object, Changes]>([
    ['a drain takes 2', { maxUnavailable: 2 }, {}],
    ['a drain takes 1', {}, { deployment: { replicas: 1 } }],
    ['can never be drained', { maxUnavailable: 0 }, {}],
    ['blocks a drain', { unhealthyPodEvictionPolicy: undefined }, {}],
    ['0 disruption budgets', { selector: { matchLabels: { 'app.kubernetes.io/name': 'gateway' } } }, {}],
  ])('finds that %s', (problem, spec, changes) => {
    expect(check(spec, changes)).toContain(problem);
  });

  it('finds a fixed number beside an autoscaler', () => {
    expect(disruption([overlay(service(), budget({}), scaler(6))]).problems.join()).toContain('fixed number');
  });
});

describe('deployed services', () => {
  const named = (name: string, component = 'service'): Manifest => {
    const { metadata, ...rest } = service();
    return { ...rest, metadata: { ...metadata, name, labels: { 'app.kubernetes.io/component': component } } };
  };

  it('finds one that is missing, or has no label of a service', () => {
    const all = deploymentNames.map((name) => named(name));
    expect(deployedServices([overlay(...all)]).problems).toEqual([]);
    const problem = `test: no workload ${deploymentNames[0]} has the label of a service`;
    expect(deployedServices([overlay(...all.slice(1))]).problems).toEqual([problem]);
    expect(deployedServices([overlay(named(deploymentNames[0], 'worker'), ...all.slice(1))]).problems).toEqual([
      problem,
    ]);
  });
});

describe('capacity', () => {
  const stores = (most: number): Manifest[] => [
    {
      apiVersion: 'v1',
      kind: 'Pooler',
      metadata: { name: 'p' },
      spec: { instances: 1, pgbouncer: { parameters: { default_pool_size: '60', max_client_conn: '100' } } },
    },
    {
      apiVersion: 'v1',
      kind: 'Cluster',
      metadata: { name: 'c' },
      spec: { postgresql: { parameters: { max_connections: `${most}` } } },
    },
  ];

  it('bounds an autoscaler by the partitions of its topic', () => {
    expect(capacity([overlay(scaler(6), ...stores(100))]).problems).toEqual([]);
    expect(capacity([overlay(scaler(7), ...stores(100))]).problems.join()).toContain('has 6 partitions');
  });

  it('bounds instances by the connections of Postgres', () => {
    // Two instances and one of a roll-out, 10 + 4 connections each.
    const env = [{ name: 'DATABASE_POOL_SIZE', value: '10' }];
    const check = (most: number) => capacity([overlay(service({ container: { env } }), ...stores(most))]).problems;
    expect(check(72)).toEqual([]);
    expect(check(71).join()).toContain('may open 42 connections, Postgres has 41');
  });

  it('bounds the deployments of one role together', () => {
    const reads = { ...service({ container: { env: [{ name: 'DATABASE_POOL_SIZE', value: '16' }] } }) };
    const part = { ...service({ container: { env: [{ name: 'PROJECTION_POOL_SIZE', value: '5' }] } }) };
    const check = (...deployments: Manifest[]) => capacity([overlay(...deployments, ...stores(130))]).problems;
    const named = (workload: Manifest, name: string): Manifest => ({
      ...workload,
      metadata: { ...workload.metadata, name },
    });
    expect(check(named(reads, 'competition-read'))).toEqual([]);
    expect(check(named(reads, 'competition-read'), named(part, 'competition-read-projector'))).toEqual([
      'test: Deployment competition-read and Deployment competition-read-projector may open 63 connections, their role has 60',
    ]);
  });

  it('finds bounds that are missing or no numbers', () => {
    expect(capacity([{ name: 'local', objects: [service()] }]).problems).toEqual([]);
    expect(capacity([overlay(service())]).problems.join()).toContain('no Pooler or no Cluster');
    const env = [{ name: 'DATABASE_POOL_SIZE', value: 'ten' }];
    expect(capacity([overlay(service({ container: { env } }), ...stores(100))]).problems).toEqual([
      'test: connections of Deployment engagement: not a number',
    ]);
    expect(capacity([overlay(...stores(NaN))]).problems).toEqual(['test: max_connections: not a number']);
  });
});

describe('network connections', () => {
  const policies = networkPolicies()[0].content;
  const objects = (text: string): Manifest[] => parseAllDocuments(text).map((document) => document.toJS() as Manifest);
  const check = (text: string) => networkConnections([overlay(...objects(text))]).problems.join('\n');

  it('finds exactly the declared connections in the generated policies', () => {
    expect(check(policies)).toBe('');
  });

  it('finds a connection that is missing, undeclared, or open on one side only', () => {
    const without = objects(policies).filter(({ metadata }) => metadata.name !== 'redis');
    expect(networkConnections([overlay(...without)]).problems.join()).toContain(
      'declared and closed: gateway → redis:6379',
    );
    expect(
      check(
        policies.replace(
          'app.kubernetes.io/name: ingestion\n      ports',
          'app.kubernetes.io/name: sandbox\n      ports',
        ),
      ),
    ).toContain('gateway → sandbox:8080 (only one side)');
  });

  it('requires a way from the edge to the solver of ACME challenges where a ClusterIssuer issues a certificate', () => {
    const certificate = (kind: string): Manifest => ({
      ...{ apiVersion: 'cert-manager.io/v1', kind: 'Certificate', metadata: { name: 'podium-edge' } },
      spec: { issuerRef: { kind, name: 'public-acme' } },
    });
    const closed = objects(policies).filter(({ metadata }) => metadata.name !== 'acme-solver');
    const solverProblems = (from: readonly Manifest[], kind: string): string[] =>
      networkConnections([overlay(...from, certificate(kind))]).problems.filter((problem) =>
        problem.includes('HTTP-01'),
      );
    expect(solverProblems(objects(policies), 'ClusterIssuer')).toEqual([]);
    expect(solverProblems(closed, 'ClusterIssuer')).toEqual([
      'test: Certificate podium-edge: HTTP-01 challenges get no answer, edge → acme-solver:8089 is closed',
    ]);
    expect(solverProblems(closed, 'Issuer')).toEqual([]);
  });

  it('selects the pods that cert-manager makes for a challenge, which listen on port 8089', () => {
    const solver = objects(policies).find(({ metadata }) => metadata.name === 'acme-solver');
    expect(solver?.spec).toMatchObject({
      podSelector: { matchLabels: { 'acme.cert-manager.io/http01-solver': 'true' } },
      ingress: [
        {
          from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'edge' } } }],
          ports: [{ protocol: 'TCP', port: 8089 }],
        },
      ],
    });
  });

  it('requires the connection to the collector where traces are sent, and only there', () => {
    const traces = networkPolicies().find(({ path }) => path.includes('traces'))!.content;
    const sender = (endpoint: string): Manifest =>
      service({ container: { env: [{ name: 'OTEL_EXPORTER_OTLP_ENDPOINT', value: endpoint }] } });
    const check = (...more: Manifest[]): string =>
      networkConnections([overlay(...objects(policies), ...more)]).problems.join();
    expect(check(...objects(traces))).toContain('open and not declared: engagement → monitoring:4318');
    expect(check(sender('http://traces.monitoring.svc:4318'))).toContain(
      'declared and closed: engagement → monitoring:4318',
    );
    const ofSender = objects(traces).filter(({ metadata }) => metadata.name === 'engagement-traces');
    expect(check(...ofSender, sender('http://traces.monitoring.svc:4318'))).toBe('');
    expect(check(...ofSender, sender('http://traces.elsewhere.svc:4318'))).toContain('no policy allows connections');
  });

  it('finds internet access that includes private networks', () => {
    expect(check(policies.replace('              - 10.0.0.0/8\n', ''))).toContain('→ everybody:443');
  });

  it('finds another port than that of DNS at the address of NodeLocal DNSCache', () => {
    expect(
      check(
        policies.replace(
          'cidr: 169.254.20.10/32\n      ports:\n        - protocol: UDP\n          port: 53',
          'cidr: 169.254.20.10/32\n      ports:\n        - protocol: UDP\n          port: 80',
        ),
      ),
    ).toContain('→ dns:80');
  });

  it('finds a missing default policy that denies everything', () => {
    const without = objects(policies).filter(({ metadata }) => metadata.name !== 'deny-all');
    expect(networkConnections([overlay(...without)]).problems.join()).toContain('by default');
  });

  it('finds an empty list of rules', () => {
    const [first, ...others] = objects(policies);
    const changed = { ...first, spec: { ...(first.spec as object), ingress: [] } };
    expect(networkConnections([overlay(changed, ...others)]).problems.join()).toContain(
      'NetworkPolicy deny-all has an empty list of ingress rules',
    );
  });

  it('finds pods that are not in the table', () => {
    const stranger = { metadata: { labels: { 'app.kubernetes.io/name': 'stranger' } }, spec: { containers: [] } };
    const pods = service({ deployment: { template: stranger } });
    expect(networkConnections([overlay(...objects(policies), pods)]).problems.join()).toContain('is not a pod group');
  });
});

describe('references and separation', () => {
  it('finds a missing secret', () => {
    const env = [{ name: 'X', valueFrom: { secretKeyRef: { name: 'nobody', key: 'x' } } }];
    expect(references(deployed()).problems).toEqual([]);
    expect(references(deployed({ container: { env } })).problems.join()).toContain('Secret nobody');
  });

  it('finds objects that two deployments share, a secret in git and an image without a release', () => {
    const namespace: Manifest = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'podium' } };
    const secret: Manifest = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'keys' } };
    const problems = separation([
      {
        name: 'test',
        objects: [namespace, secret, service({ container: { image: 'registry/podium-engagement:release' } })],
      },
      { name: 'production', objects: [namespace] },
    ]).problems.join();
    for (const problem of ['share Namespace podium', 'Secret keys is committed to git', 'has no release tag'])
      expect(problems).toContain(problem);
  });
});
