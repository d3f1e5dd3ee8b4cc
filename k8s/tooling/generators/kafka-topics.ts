import { TopicRow, topics } from '@podium/messages';
import { wantedTopics } from '@podium/runtime/kafka';
import { ITopicConfig } from 'kafkajs';
import { GeneratedFile } from '../../../tools/generate/generators/generated-file';
import { Manifest, partOfPodium, yamlFile } from './yaml-file';

/** Replication settings of a cluster. */
const safety = { replicationFactor: 3, minInsyncReplicas: 2 } as const;

/** A KafkaTopic for every topic that `npm run topics` creates at an empty broker, dead-letter topics among them. */
export function kafkaTopics(): GeneratedFile[] {
  const wanted = wantedTopics(Object.values<TopicRow>(topics), safety);
  return [
    yamlFile('k8s/components/strimzi/topics.generated.yaml', 'libs/messages/src/topics.ts', wanted.map(kafkaTopic)),
  ];
}

function kafkaTopic({ topic, numPartitions, replicationFactor, configEntries = [] }: ITopicConfig): Manifest {
  const config = Object.fromEntries(configEntries.map(({ name, value }) => [name, value]));
  return {
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'KafkaTopic',
    metadata: { name: topic, labels: { ...partOfPodium, 'strimzi.io/cluster': 'podium' } },
    spec: {
      partitions: numPartitions,
      replicas: replicationFactor,
      config: { ...config, 'unclean.leader.election.enable': 'false' },
    },
  };
}
