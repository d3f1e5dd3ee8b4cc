import { TopicRow, deadLetterTopicName, redriveTopicName, topics } from '@podium/messages';
import { relayNamePrefix } from '@podium/runtime/outbox';
import { GeneratedFile } from '../../../tools/generate/generators/generated-file';
import { OperatedService, OutsideKafkaUser, kafkaNeeds, outsideKafkaUsers, services } from '../service-needs';
import { Manifest, partOfPodium, yamlFile } from './yaml-file';

/** What a user may do with a topic, a group or a producer's name. */
export interface AccessRule {
  readonly resource: { readonly type: string; readonly name: string; readonly patternType: 'literal' | 'prefix' };
  readonly operations: readonly string[];
}

/** A KafkaUser for each service and each external user, with the least rights that follow from the topics table. */
export function kafkaUsers(): GeneratedFile[] {
  return [
    yamlFile(
      'k8s/components/strimzi/users.generated.yaml',
      'libs/messages/src/topics.ts and k8s/tooling/service-needs.ts',
      [
        ...services.map((service) => user(service.name, serviceRules(service), service.kafkaQuota)),
        ...outsideKafkaUsers.map((outside) => user(outside.name, outsideRules(outside), outsideQuota)),
        user('operators', operatorRules(), outsideQuota),
      ],
    ),
  ];
}

const outsideQuota = { producerByteRate: 20 * 1024 * 1024, consumerByteRate: 50 * 1024 * 1024 };

function user(name: string, acls: readonly AccessRule[], quotas: OperatedService['kafkaQuota']): Manifest {
  return {
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'KafkaUser',
    metadata: { name, labels: { ...partOfPodium, 'strimzi.io/cluster': 'podium' } },
    spec: {
      authentication: { type: 'scram-sha-512' },
      authorization: { type: 'simple', acls },
      // Half of one thread of each broker, and no topic creation.
      quotas: { ...quotas, requestPercentage: 50, controllerMutationRate: 1 },
    },
  };
}

/** The rules of a service: its own topics and groups; of other groups only their positions. */
export function serviceRules(service: OperatedService): AccessRule[] {
  const { writes, reads, groups, viewGroups, watchedGroups, watchedViewGroups, ownReaders } = kafkaNeeds(service);
  const deadLetterTopics = groups.map(({ group, topic }) => deadLetterTopicName(group, topic));
  const redriveTopics = groups.map(({ group, topic }) => redriveTopicName(group, topic));
  return [
    ...[...writes.map(({ name }) => name), ...deadLetterTopics].map((name) =>
      rule('topic', name, ['Describe', 'Write']),
    ),
    ...[...reads.map(({ name }) => name), ...redriveTopics].map((name) => rule('topic', name, ['Describe', 'Read'])),
    ...groups.map(({ group }) => rule('group', group, ['Describe', 'Read'])),
    // An instance deletes its own group when it stops.
    ...viewGroups.map((group) => rule('group', `${group}.`, ['Delete', 'Describe', 'Read'], 'prefix')),
    ...ownReaders.map((groups) => rule('group', groups, ['Delete', 'Describe', 'Read'], 'prefix')),
    ...watchedGroups.map((group) => rule('group', group, ['Describe'])),
    ...watchedViewGroups.map((group) => rule('group', `${group}.`, ['Describe'], 'prefix')),
    ...(service.hasOutbox
      ? [rule('transactionalId', relayNamePrefix(service.name), ['Describe', 'Write'], 'prefix')]
      : []),
  ];
}

/**
 * Users of the operators' command line: they read everything, move groups, write only redriven records and passed
 * batches, and remove the groups with which their commands read.
 */
export function operatorRules(): AccessRule[] {
  const redriveTopics = Object.values<TopicRow>(topics).flatMap((row) =>
    row.consumers.map((group) => redriveTopicName(group, row)),
  );
  return [
    rule('topic', '*', ['Describe', 'DescribeConfigs', 'Read']),
    rule('group', '*', ['Describe', 'Read']),
    rule('group', 'operator.', ['Delete'], 'prefix'),
    ...[...redriveTopics, topics.passedBatches.name].map((name) => rule('topic', name, ['Write'])),
  ];
}

/** The rules of a producer or consumer outside of this repository. */
export function outsideRules({ owns, reads, groupPrefix, watches }: OutsideKafkaUser): AccessRule[] {
  const writes = Object.values<TopicRow>(topics).filter(({ owner }) => owner === owns);
  return [
    ...writes.map(({ name }) => rule('topic', name, ['Describe', 'Write'])),
    ...reads.map(({ name }) => rule('topic', name, ['Describe', 'Read'])),
    ...(groupPrefix ? [rule('group', groupPrefix, ['Describe', 'Read'], 'prefix')] : []),
    ...(watches ? [rule('topic', watches.topic.name, ['Describe']), rule('group', watches.group, ['Describe'])] : []),
  ];
}

function rule(
  type: 'topic' | 'group' | 'transactionalId',
  name: string,
  operations: readonly string[],
  patternType: 'literal' | 'prefix' = 'literal',
): AccessRule {
  return { resource: { type, name, patternType }, operations };
}
