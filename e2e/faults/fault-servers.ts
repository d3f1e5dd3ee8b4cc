import { KafkaCluster } from '../../tools/stack/kafka';
import { Postgres } from '../../tools/stack/postgres';
import { Redis } from '../../tools/stack/redis';

/** The servers of a stack under faults. `postgres` is the current primary: a failover replaces it. */
export interface FaultServers {
  postgres: Postgres;
  readonly redis: Redis;
  readonly kafka: KafkaCluster;
}
