import { TopicRow, topics } from '@podium/messages';
import { Kafka, ensureTopics } from '@podium/runtime/kafka';
import { ITopicConfig } from 'kafkajs';
import { GeneratedFile } from '../../../tools/generate/generators/generated-file';
import { Manifest, partOfPodium, yamlFile } from './yaml-file';

/** Replication settings of a cluster. */
const safety = { replicationFactor: 3, minInsyncReplicas: 2 } as const;

/** A KafkaTopic for every topic that `npm run topics` would create, dead-letter topics among them. */
export async function kafkaTopics(): Promise<GeneratedFile[]> {
  const wanted = await topicsToCreate();
  return [
    yamlFile('k8s/components/strimzi/topics.generated.yaml', 'libs/messages/src/topics.ts', wanted.map(kafkaTopic)),
  ];
}

/** The topics that the command creates at an empty broker, so that manifests and command have one source. */
async function topicsToCreate(): Promise<ITopicConfig[]> {
  let created: ITopicConfig[] = [];
  const admin = {
    connect: async () => undefined,
    disconnect: async () => undefined,
    listTopics: async () => [],
    createTopics: async (request: { topics: ITopicConfig[] }) => {
      created = request.topics;
      return true;
    },
  };
  const broker = { admin: () => admin } as unknown as Pick<Kafka, 'admin'>;
  await ensureTopics(broker, Object.values<TopicRow>(topics), safety);
  return created;
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
