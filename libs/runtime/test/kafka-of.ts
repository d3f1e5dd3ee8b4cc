import { Kafka } from '../src/kafka/client/create-kafka';

/** A client whose own clients have these admins, one for each connection. */
export function kafkaOf(admin: () => object): Kafka {
  return { ownClient: () => ({ client: { admin }, cutOff: () => undefined }) } as unknown as Kafka;
}
