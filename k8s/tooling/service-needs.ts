import { ConsumerGroup, TopicRow, ViewGroup, topics } from '@podium/messages';
import { outboxTailGroups } from '@podium/runtime/outbox';
import { changesFields } from '../../apps/competition-read/src/config';
import { furtherPools } from '../../apps/linkage/src/config';
import { Fields, serviceFields } from '../../libs/runtime/src/config';
import { fieldsOf } from '../../tools/stack/settings/service-fields';

/** The services that run in every deployment. */
export const serviceNames = ['gateway', 'linkage', 'ingestion', 'engagement', 'competition-read'] as const;

/** The name of a service, of its folder in `apps/` and of its objects in Kubernetes. */
export type ServiceName = (typeof serviceNames)[number];

/** A part of a service that has a Deployment of its own: it runs the service's program with its settings and its users. */
export interface ServicePart {
  readonly name: 'competition-read-projector';
  readonly service: ServiceName;
  /** The setting that bounds its connections to Postgres, where it has the service's role. */
  readonly poolSetting: string;
  /** The fields of the service that this part reads. */
  readonly fields: Fields;
}

/** The parts of services that have a Deployment of their own. */
export const serviceParts: readonly ServicePart[] = [
  {
    name: 'competition-read-projector',
    service: 'competition-read',
    poolSetting: 'PROJECTION_POOL_SIZE',
    fields: changesFields,
  },
];

/** The name of a Deployment of Podium: a service, or a part of one. */
export type DeploymentName = ServiceName | ServicePart['name'];

/** Every Deployment of Podium. */
export const deploymentNames: readonly DeploymentName[] = [...serviceNames, ...serviceParts.map(({ name }) => name)];

/** The service whose program a Deployment runs. */
export function serviceOf(deployment: DeploymentName): ServiceName {
  const part = serviceParts.find(({ name }) => name === deployment);
  return part?.service ?? (deployment as ServiceName);
}

/** The fields that the program of a Deployment reads: all of its service, or those of its part. */
export function fieldsReadBy(deployment: DeploymentName): Fields {
  const part = serviceParts.find(({ name }) => name === deployment);
  return part ? { ...(serviceFields as Fields), ...part.fields } : fieldsOf(serviceOf(deployment));
}

/** The Redis servers by content; each has its own memory limit. */
export const redisServers = ['limits', 'marks'] as const;

/** A Redis server by its content: its objects in Kubernetes are `redis-<name>`. */
export type RedisServer = (typeof redisServers)[number];

/** A service's rights in Redis: those of its user. */
export interface RedisNeeds {
  readonly server: RedisServer;
  /** Commands that its code and scripts use, in lower case. */
  readonly commands: readonly string[];
  readonly keyPatterns: readonly string[];
}

/** Rights and connections of a service; its topics follow from the topics table. */
export interface OperatedService {
  readonly name: ServiceName;
  /** Services that it calls. */
  readonly calls: readonly ServiceName[];
  /** Connections in addition to DATABASE_POOL_SIZE: of entities (`dataSourceOptions`) and further pools; undefined: no Postgres. */
  readonly furtherConnections?: number;
  readonly redis?: RedisNeeds;
  /** It reads the positions of other groups in its topics. */
  readonly watchesGroups?: boolean;
  /** It publishes by an outbox: the relay has a transactional id, and reads its own topics after a failover of Postgres. */
  readonly hasOutbox?: boolean;
  /** It verifies tokens with the keys of the identity provider. */
  readonly verifiesTokens?: boolean;
  /** It calls partners' servers on the internet. */
  readonly callsPartners?: boolean;
  /** Upper bounds in Kafka, bytes each second. */
  readonly kafkaQuota: { readonly producerByteRate: number; readonly consumerByteRate: number };
}

const mebibyte = 1024 * 1024;

/** Commands that the Redis client itself sends: handshake, log-in, ready check. A refused CLIENT SETNAME is ignored. */
const connectionCommands = ['hello', 'auth', 'info', 'ping', 'select'] as const;

/** The one table of services and their needs: policies, users, secrets and settings derive from it. */
export const services: readonly OperatedService[] = [
  {
    name: 'gateway',
    calls: ['linkage', 'ingestion', 'engagement', 'competition-read'],
    redis: {
      server: 'limits',
      commands: [
        ...connectionCommands,
        ...['eval', 'evalsha', 'time', 'mget', 'set', 'zadd', 'zremrangebyscore', 'zcard', 'pexpire'],
      ],
      keyPatterns: ['gateway:*'],
    },
    kafkaQuota: { producerByteRate: mebibyte, consumerByteRate: 20 * mebibyte },
  },
  {
    name: 'linkage',
    calls: [],
    furtherConnections: Object.values<number>(furtherPools).reduce((sum, size) => sum + size, 0),
    watchesGroups: true,
    hasOutbox: true,
    verifiesTokens: true,
    callsPartners: true,
    kafkaQuota: { producerByteRate: 10 * mebibyte, consumerByteRate: 10 * mebibyte },
  },
  {
    name: 'ingestion',
    calls: [],
    furtherConnections: 0,
    redis: { server: 'marks', commands: [...connectionCommands, 'eval', 'mget', 'set'], keyPatterns: ['event:*'] },
    verifiesTokens: true,
    kafkaQuota: { producerByteRate: 50 * mebibyte, consumerByteRate: 50 * mebibyte },
  },
  {
    name: 'engagement',
    calls: [],
    furtherConnections: 4,
    hasOutbox: true,
    verifiesTokens: true,
    kafkaQuota: { producerByteRate: 20 * mebibyte, consumerByteRate: 100 * mebibyte },
  },
  {
    name: 'competition-read',
    calls: [],
    furtherConnections: 0,
    kafkaQuota: { producerByteRate: 10 * mebibyte, consumerByteRate: 200 * mebibyte },
  },
];

/** A Kafka user other than a service: producers and consumers outside of this repository, and the autoscaler. */
export interface OutsideKafkaUser {
  readonly name: string;
  readonly owns?: TopicRow['owner'];
  readonly reads: readonly TopicRow[];
  /** Its consumer groups begin with this. */
  readonly groupPrefix?: string;
  /** Only ends and commits, no records. */
  readonly watches?: { readonly topic: TopicRow; readonly group: ConsumerGroup };
}

/** Users of Kafka outside of this repository. */
export const outsideKafkaUsers: readonly OutsideKafkaUser[] = [
  {
    name: 'bonus-engine',
    owns: 'bonus-engine',
    // Its own results too: with a new or restored database it learns from them what was paid (docs/bonus-engine.md).
    reads: [
      topics.awards,
      topics.awardResults,
      topics.memberships,
      topics.taskProgress,
      topics.userEvents,
      topics.erasures,
    ],
    groupPrefix: 'bonus-engine.',
  },
  {
    name: 'product-surfaces',
    reads: [topics.taskProgress, topics.memberships, topics.erasures],
    groupPrefix: 'product-surfaces.',
  },
  { name: 'competition', owns: 'competition', reads: [] },
  { name: 'autoscaler', reads: [], watches: { topic: topics.userEvents, group: 'engagement.user-events' } },
];

/** A service's use of Kafka, from the topics table. */
export interface KafkaNeeds {
  readonly writes: readonly TopicRow[];
  readonly reads: readonly TopicRow[];
  /** Shared groups with the topic that each consumes. */
  readonly groups: readonly { readonly group: ConsumerGroup; readonly topic: TopicRow }[];
  /** Prefixes of the groups that each instance has alone. */
  readonly viewGroups: readonly ViewGroup[];
  /** Other services' groups whose commits it reads. */
  readonly watchedGroups: readonly ConsumerGroup[];
  readonly watchedViewGroups: readonly ViewGroup[];
  /** Prefixes of the groups with which it reads its own topics. */
  readonly ownReaders: readonly string[];
}

/** A service's use of Kafka, from the topics table: the prefix of a group's name is its service. */
export function kafkaNeeds({ name, watchesGroups, hasOutbox }: OperatedService): KafkaNeeds {
  const rows = Object.values<TopicRow>(topics);
  const isOwn = (group: string): boolean => group.startsWith(`${name}.`);
  const writes = rows.filter(({ owner }) => owner === name);
  const groups = rows.flatMap((topic) => topic.consumers.filter(isOwn).map((group) => ({ group, topic })));
  const views = rows.filter(({ inForceWhen }) => inForceWhen.some(isOwn));
  return {
    writes,
    reads: [...new Set([...groups.map(({ topic }) => topic), ...views, ...(hasOutbox ? writes : [])])],
    groups,
    viewGroups: [...new Set(views.flatMap(({ inForceWhen }) => inForceWhen.filter(isOwn)))],
    watchedGroups: watchesGroups ? [...new Set(writes.flatMap(({ readyWhen }) => readyWhen))] : [],
    watchedViewGroups: watchesGroups ? [...new Set(writes.flatMap(({ inForceWhen }) => inForceWhen))] : [],
    ownReaders: hasOutbox ? [outboxTailGroups(name)] : [],
  };
}
