import Broker from 'kafkajs/src/broker';
import type { Broker as BrokerOfPool } from 'kafkajs/src/cluster/brokerPool';
import { required } from '../kafkajs-internals/required';

const installed = Symbol.for('podium.kafka/broker-handshakes');

/**
 * Makes kafkajs start again with a broker that has accepted a connection and not answered its first request in time, once per
 * process. Without SASL kafkajs takes the open connection for a connected broker. It does not ask again which requests the broker
 * knows, and rejects each later one with "Broker not connected" until the broker closes the connection, which takes ten minutes.
 *
 * - A broker counts as connected only after its first answer.
 * - Without that answer the connection is closed, because its other end may have vanished.
 *
 * A spec fails when a new version of kafkajs no longer uses the replaced functions.
 */
export function completeHandshakes(): void {
  const marked = Broker.prototype as BrokerOfPool & { [installed]?: boolean };
  if (marked[installed]) return;
  const { prototype } = Broker;
  const connect = required(prototype.connect, 'connection to a broker');
  const isConnected = required(prototype.isConnected, 'state of a broker');
  /** What a broker has said of its requests stays known for its later connections. */
  const answered = new WeakSet<BrokerOfPool>();
  prototype.isConnected = function () {
    return answered.has(this) && isConnected.call(this);
  };
  prototype.connect = async function () {
    try {
      await connect.call(this);
      answered.add(this);
    } catch (error) {
      // Another caller is still waiting for the answer.
      const isShared = (error as Error).name === 'KafkaJSLockTimeout';
      if (!answered.has(this) && !isShared) await this.disconnect();
      throw error;
    }
  };
  marked[installed] = true;
}
