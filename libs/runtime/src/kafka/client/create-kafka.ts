import { Socket } from 'node:net';
import { ISocketFactory, Kafka as KafkaClient, KafkaConfig, LogEntry, logLevel } from 'kafkajs';
import { Logger } from 'pino';
import { noteFetchOrder } from '../kafkajs-internals/fetch-order';
import { separateBrokers } from '../partition-errors/separate-brokers';
import { separatePartitions } from '../partition-errors/separate-partitions';
import { decodeFetches } from '../record-batches/decode-fetches';
import { completeHandshakes } from './broker-handshakes';
import { withstandClockSteps } from './clock-steps';
import { restWhenIdle } from './idle-connections';
import { socketFactory } from './socket-factory';

/** The addresses of the brokers and how to connect to them. */
export interface KafkaOptions {
  brokers: string[];
  /** Shown in the broker's logs and quotas: the service's name. */
  clientId: string;
  logger: Logger;
  ssl?: KafkaConfig['ssl'];
  sasl?: KafkaConfig['sasl'];
  /** Opens connections; specs pass one that can fail. */
  socketFactory?: KafkaConfig['socketFactory'];
}

/** A client with its own connections, and a way to close them. */
export interface OwnClient {
  readonly client: KafkaClient;
  /** Closes its connections and opens no more; pending requests on them are rejected. */
  cutOff(): void;
}

/** The client from which a process creates all producers, consumers and admins. */
export class Kafka extends KafkaClient {
  constructor(private readonly config: KafkaConfig & { socketFactory: ISocketFactory }) {
    super(config);
  }

  /** A client whose connections can be closed. kafkajs waits forever for some responses, and retries after its end. */
  ownClient(): OwnClient {
    const sockets = new Set<Socket>();
    let isCutOff = false;
    // The client takes the error for a failure, also of a connection that it has ended.
    const end = (socket: Socket): void =>
      void socket.destroy(socket.writableEnded ? undefined : new Error('closed: its client was replaced'));
    const tracking: ISocketFactory = (target) => {
      const socket = this.config.socketFactory(target);
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      if (isCutOff) end(socket);
      return socket;
    };
    return {
      client: new KafkaClient({ ...this.config, socketFactory: tracking }),
      cutOff: () => {
        isCutOff = true;
        sockets.forEach(end);
      },
    };
  }
}

/**
 * Creates a Kafka client, always with bounded waits, every codec of Kafka, and the client's log in the process's log. It
 * retries for about three seconds; callers that need longer retry themselves.
 */
export function createKafka(options: KafkaOptions): Kafka {
  decodeFetches();
  separateBrokers();
  separatePartitions();
  noteFetchOrder();
  withstandClockSteps();
  completeHandshakes();
  restWhenIdle();
  const log = options.logger.child({ component: 'kafka' });
  return new Kafka({
    brokers: options.brokers,
    clientId: options.clientId,
    ssl: options.ssl,
    sasl: options.sasl,
    connectionTimeout: 2_000,
    requestTimeout: 5_000,
    socketFactory: options.socketFactory ?? socketFactory(),
    // Every field is set: the client has other defaults when it finds NODE_ENV=test.
    retry: { initialRetryTime: 100, maxRetryTime: 1_000, multiplier: 2, factor: 0.2, retries: 5 },
    logLevel: logLevel.INFO,
    logCreator: () => (entry) => writeEntry(log, entry),
  });
}

/** kafkajs logs errors for transient states, such as a coordinator that is loading, so its errors are warnings here. */
function writeEntry(log: Logger, { namespace, level, log: content }: LogEntry): void {
  const fields = { namespace, group: content.groupId as unknown, broker: content.broker as unknown };
  if (level === logLevel.ERROR || level === logLevel.WARN) {
    log.warn({ ...fields, cause: content.error === undefined ? undefined : String(content.error) }, content.message);
  } else {
    log.trace(fields, content.message);
  }
}
