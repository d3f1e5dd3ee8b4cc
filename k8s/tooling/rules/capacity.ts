import { TopicRow, topics } from '@podium/messages';
import { CheckResult } from '../checks/check-list';
import { Overlay, nameOf, ofKind } from '../checks/overlays';
import { Manifest } from '../generators/yaml-file';
import { DeploymentName, serviceOf, serviceParts, services } from '../service-needs';
import { instancesOf, scaledObjects } from './read-replica-bounds';
import { environmentOf, servicesOf } from './workloads';

interface Pooler extends Manifest {
  readonly spec: {
    readonly instances: number;
    readonly pgbouncer: { readonly parameters: Readonly<Record<string, string>> };
  };
}

interface Cluster extends Manifest {
  readonly spec: { readonly postgresql: { readonly parameters: Readonly<Record<string, string>> } };
}

/** Connections that administrators, replication and the operator need. */
const reservedConnections = 30;

/** No service is scaled beyond the partitions of its topic or the connections of Postgres. */
export function capacity(overlays: readonly Overlay[]): CheckResult {
  const problems = overlays.flatMap((overlay) =>
    [...partitionProblems(overlay), ...connectionProblems(overlay)].map((problem) => `${overlay.name}: ${problem}`),
  );
  return { detail: 'autoscalers against partitions, instances against connections', problems };
}

function partitionProblems(overlay: Overlay): string[] {
  const rows = Object.values<TopicRow>(topics);
  return scaledObjects(overlay).flatMap((scaler) =>
    scaler.spec.triggers.flatMap(({ type, metadata }) => {
      if (type !== 'kafka') return [];
      const row = rows.find(({ name }) => name === metadata.topic);
      if (!row) return [`${nameOf(scaler)} watches ${metadata.topic}, which is not a topic`];
      if (!row.consumers.some((group) => group === metadata.consumerGroup))
        return [`${nameOf(scaler)} watches ${metadata.consumerGroup}, which does not consume ${row.name}`];
      const { maxReplicaCount } = scaler.spec;
      return maxReplicaCount <= row.partitions
        ? []
        : [`${nameOf(scaler)} scales to ${maxReplicaCount}, and ${row.name} has ${row.partitions} partitions`];
    }),
  );
}

function connectionProblems(overlay: Overlay): string[] {
  const [pooler] = ofKind<Pooler>(overlay, 'Pooler');
  const [cluster] = ofKind<Cluster>(overlay, 'Cluster');
  // The local overlay has one database, without a pooler.
  if ((!pooler || !cluster) && overlay.name === 'local') return [];
  if (!pooler || !cluster) return ['there is no Pooler or no Cluster that bounds connections'];
  const perService = servicesOf(overlay).flatMap((service) => {
    const { name } = service.metadata;
    const part = serviceParts.find((each) => each.name === name);
    const row = services.find((each) => each.name === name);
    if (!part && row?.furtherConnections === undefined) return [];
    const env = environmentOf(overlay, service.spec.template.spec.containers[0]);
    const perInstance = Number(env[part?.poolSetting ?? 'DATABASE_POOL_SIZE']) + (row?.furtherConnections ?? 0);
    // A roll-out adds one instance.
    return [{ service, connections: (instancesOf(overlay, service).max + 1) * perInstance }];
  });
  const { default_pool_size, max_client_conn } = pooler.spec.pgbouncer.parameters;
  const most = Number(cluster.spec.postgresql.parameters.max_connections) - reservedConnections;
  const sum = perService.reduce((total, { connections }) => total + connections, 0);
  const compared: readonly (readonly [what: string, connections: number])[] = [
    ...perService.map(({ service, connections }) => [`connections of ${nameOf(service)}`, connections] as const),
    ['default_pool_size', Number(default_pool_size)],
    ['max_client_conn', Number(max_client_conn)],
    ['max_connections', most],
  ];
  return [
    ...compared.filter(([, number]) => !Number.isFinite(number)).map(([what]) => `${what}: not a number`),
    // The parts of a service share its role. All of its connections may come to one instance of the pooler.
    ...services.flatMap(({ name }) => {
      const own = perService.filter(({ service }) => serviceOf(service.metadata.name as DeploymentName) === name);
      const connections = own.reduce((total, each) => total + each.connections, 0);
      const names = own.map(({ service }) => nameOf(service)).join(' and ');
      return connections > Number(default_pool_size)
        ? [`${names} may open ${connections} connections, their role has ${default_pool_size}`]
        : [];
    }),
    // One instance of the pooler may have to serve all while the others are replaced.
    ...(sum > Number(max_client_conn)
      ? [`services may open ${sum} connections, a pooler accepts ${max_client_conn}`]
      : []),
    ...(sum > most ? [`services may open ${sum} connections, Postgres has ${most} for them`] : []),
  ];
}
