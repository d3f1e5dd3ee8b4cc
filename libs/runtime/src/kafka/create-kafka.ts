import { Socket } from 'node:net';
import { ISocketFactory, Kafka as KafkaClient, KafkaConfig, LogEntry, logLevel } from 'kafkajs';
import { Logger } from 'pino';
import { decodeFetches } from './record-batches/decode-fetches';
import { socketFactory } from './socket-factory';

/** Where the brokers are and how to speak to them. */
export interface KafkaOptions {
  brokers: string[];
  /** Shown in the broker's logs and quotas: the service's name. */
  clientId: string;
  logger: Logger;
  ssl?: KafkaConfig['ssl'];
  sasl?: KafkaConfig['sasl'];
  /** How connections are opened; given by specs that let them fail. */
  socketFactory?: KafkaConfig['socketFactory'];
}

/** A client with connections of its own, and their end. */
export interface OwnClient {
  readonly client: KafkaClient;
  /** Breaks its connections off and opens no more; whoever waits for an answer over one of them hears that it is closed. */
  cutOff(): void;
}

/** The client, from which everybody of a process has producers, consumers and admins. */
export class Kafka extends KafkaClient {
  constructor(private readonly config: KafkaConfig & { socketFactory: ISocketFactory }) {
    super(config);
  }

  /** A client whose connections can be broken off: it waits for ever for some answers, and tries again after its end. */
  ownClient(): OwnClient {
    const sockets = new Set<Socket>();
    let isCutOff = false;
    const end = (socket: Socket): void => void socket.destroy(new Error('broken off: its client was given up'));
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
 * The one way to a Kafka client: bounded waits, every codec of Kafka, and the client's own log in the process's log.
 * The client retries for about three seconds; whoever needs longer goes on itself.
 */
export function createKafka(options: KafkaOptions): Kafka {
  decodeFetches();
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

/** The client logs an error for what heals itself (a coordinator that still loads), so its errors are warnings here. */
function writeEntry(log: Logger, { namespace, level, log: content }: LogEntry): void {
  const fields = { namespace, group: content.groupId as unknown, broker: content.broker as unknown };
  if (level === logLevel.ERROR || level === logLevel.WARN) {
    log.warn({ ...fields, cause: content.error === undefined ? undefined : String(content.error) }, content.message);
  } else {
    log.trace(fields, content.message);
  }
}
