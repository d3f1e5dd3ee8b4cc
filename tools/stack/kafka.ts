import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { restWhenIdle } from '@podium/runtime/kafka/client/idle-connections';
import { Kafka, logLevel } from 'kafkajs';
import { StackFailure } from './failure';
import { StackFolders } from './folders';
import { javaEnvironment } from './java-environment';
import { openKafkaJars } from './kafka-jars';
import { refuseUnusablePath } from './kafka-path-rules';
import { PortPlan } from './ports';
import { propertiesFile } from './properties-file';
import { runRecord } from './run-record';
import { runTool, ServerProcess } from './server-process';

/** A real Apache Kafka cluster in KRaft mode on loopback: one broker, or three with min in-sync 2. */
export class KafkaCluster {
  /** Bootstrap addresses, comma-separated. */
  readonly addresses: string;

  private constructor(readonly brokers: readonly KafkaBroker[]) {
    this.addresses = brokers.map((broker) => broker.address).join(',');
  }

  /** Fetches the jars and, on the first run, formats the data; `start()` then starts the brokers. */
  static async open(
    folders: StackFolders,
    ports: PortPlan,
    brokerCount: 1 | 3,
    onCrash?: (failure: StackFailure) => void,
    clientListeners: readonly ClientListener[] = [],
  ): Promise<KafkaCluster> {
    refuseUnusablePath(folders);
    const nodes: KafkaNode[] = [];
    for (const [index, [broker, controller]] of portNames.slice(0, brokerCount).entries())
      nodes.push({
        id: index + 1,
        port: await ports(broker),
        controllerPort: await ports(controller),
        clients: clientListeners[index],
      });
    const jars = await openKafkaJars(folders);
    return new KafkaCluster(nodes.map((node) => new KafkaBroker(node, nodes, folders, jars, onCrash)));
  }

  /** Starts all brokers and waits until each has registered and serves requests. */
  async start(): Promise<void> {
    const clusterId = this.brokers[0].knownClusterId() ?? newClusterId();
    await Promise.all(this.brokers.map((broker) => broker.format(clusterId)));
    await Promise.all(this.brokers.map((broker) => broker.start()));
  }

  /** Stops all brokers at once: controllers that lose their quorum would wait for it. */
  async stop(signal?: NodeJS.Signals): Promise<boolean> {
    const inTime = await Promise.all(this.brokers.map((broker) => broker.stop(signal)));
    return inTime.every(Boolean);
  }

  /** Kills all brokers with SIGKILL. */
  async kill(): Promise<void> {
    await Promise.all(this.brokers.map((broker) => broker.kill()));
  }

  /** Starts all brokers again on the same ports and data. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }
}

/** 16 random bytes as base64url; StorageTool would treat a leading hyphen as an option. */
function newClusterId(): string {
  const id = randomBytes(16).toString('base64url');
  return id.startsWith('-') ? newClusterId() : id;
}

/**
 * A second listener of a broker for clients that connect by another path, such as a proxy: clients at `port` get
 * `advertisedPort` as the address of each broker. Brokers use the first listener among themselves.
 */
export interface ClientListener {
  readonly port: number;
  readonly advertisedPort: number;
}

/** Where one node of the cluster listens. */
interface KafkaNode {
  readonly id: number;
  readonly port: number;
  readonly controllerPort: number;
  readonly clients?: ClientListener;
}

const portNames = [
  ['Kafka', 'Kafka controller'],
  ['second Kafka broker', 'second Kafka controller'],
  ['third Kafka broker', 'third Kafka controller'],
] as const;

/** One broker of the cluster, which is a controller as well. */
export class KafkaBroker {
  /** `host:port` for clients. */
  readonly address: string;
  private readonly process: ServerProcess;
  private readonly data: string;
  private readonly logPath: string;
  private readonly settingsPath: string;

  constructor(
    private readonly node: KafkaNode,
    private readonly nodes: readonly KafkaNode[],
    folders: StackFolders,
    private readonly jars: string,
    onCrash?: (failure: StackFailure) => void,
  ) {
    this.address = `127.0.0.1:${node.port}`;
    this.data = path.join(folders.data, `kafka-${node.id}`);
    this.settingsPath = path.join(folders.data, `kafka-${node.id}.properties`);
    this.logPath = path.join(folders.logs, `kafka-${node.id}.log`);
    const name = nodes.length === 1 ? 'Kafka' : `Kafka broker ${node.id}`;
    const args = [...javaOptions, '-cp', path.join(jars, '*'), 'kafka.Kafka', this.settingsPath];
    this.process = new ServerProcess(
      { name, command: 'java', args, env: javaEnvironment(), logPath: this.logPath },
      onCrash,
    );
  }

  get id(): number {
    return this.node.id;
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  /** From now on the end of this process is not reported as a crash, until it is started again. */
  expectEnd(): void {
    this.process.expectEnd();
  }

  /** The id of the cluster that this broker's data belongs to, when there is data. */
  knownClusterId(): string | undefined {
    const file = path.join(this.data, 'meta.properties');
    return fs.existsSync(file) ? /^cluster\.id=(.+)$/m.exec(fs.readFileSync(file, 'utf8'))?.[1] : undefined;
  }

  /** Writes the settings, and formats the data folder on the first run. */
  async format(clusterId: string): Promise<void> {
    fs.writeFileSync(this.settingsPath, settings(this.node, this.nodes, this.data));
    if (this.knownClusterId()) return;
    const format = ['kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', this.settingsPath];
    await runTool({
      name: 'Kafka StorageTool',
      command: 'java',
      args: ['-cp', path.join(this.jars, '*'), ...format],
      env: javaEnvironment(),
      logPath: path.join(path.dirname(this.logPath), `kafka-${this.node.id}-format.log`),
    });
  }

  /** Starts the broker and waits until it serves requests; after a kill this takes until its old session has ended. */
  async start(): Promise<void> {
    this.process.spawn();
    await this.process.waitUntil(() => this.isRegistered(), 90_000);
  }

  /** Stops the broker, which first moves its leaderships to others. */
  async stop(signal?: NodeJS.Signals): Promise<boolean> {
    return this.process.stop(20_000, signal);
  }

  /** Kills the broker with SIGKILL. */
  async kill(): Promise<void> {
    await this.process.kill();
  }

  /** Starts the broker again on the same port and data. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  private async isRegistered(): Promise<boolean> {
    // Node 24 warns of the client's timers.
    restWhenIdle();
    const client = new Kafka({
      brokers: [this.address],
      logLevel: logLevel.NOTHING,
      connectionTimeout: 1000,
      retry: { retries: 0 },
    });
    const admin = client.admin();
    try {
      await admin.connect();
      const { brokers } = await admin.describeCluster();
      return brokers.some((broker) => broker.nodeId === this.node.id);
    } catch {
      return false;
    } finally {
      await admin.disconnect().catch(() => undefined);
    }
  }
}

const javaOptions = [
  '-Xms256m',
  '-Xmx512m',
  '-XX:+UseSerialGC',
  '-Dorg.slf4j.simpleLogger.showDateTime=true',
  '-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd HH:mm:ss.SSS',
  // Start-up would otherwise print every setting of every component.
  '-Dorg.slf4j.simpleLogger.log.org.apache.kafka.common.config=warn',
  '-Dorg.slf4j.simpleLogger.log.kafka.server.KafkaConfig=warn',
];

/** The broker's settings: the voters are a fixed list, so that data made under one PORT_BASE starts under another. */
function settings(node: KafkaNode, nodes: readonly KafkaNode[], data: string): string {
  const replicas = nodes.length;
  const inSync = nodes.length === 3 ? 2 : 1;
  const { port, controllerPort, clients } = node;
  const listenersWith = (clientPort?: number): string =>
    Object.entries({ PLAINTEXT: port, CONTROLLER: controllerPort, ...(clientPort && { CLIENTS: clientPort }) })
      .map(([name, at]) => `${name}://127.0.0.1:${at}`)
      .join(',');
  const values: Record<string, string | number | boolean> = {
    'process.roles': 'broker,controller',
    'node.id': node.id,
    'controller.quorum.voters': nodes.map(({ id, controllerPort }) => `${id}@127.0.0.1:${controllerPort}`).join(','),
    listeners: listenersWith(clients?.port),
    'advertised.listeners': listenersWith(clients?.advertisedPort),
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,CLIENTS:PLAINTEXT',
    'log.dirs': data,
    'auto.create.topics.enable': false,
    'default.replication.factor': replicas,
    'min.insync.replicas': inSync,
    'offsets.topic.num.partitions': 4,
    'offsets.topic.replication.factor': replicas,
    'transaction.state.log.num.partitions': 4,
    'transaction.state.log.replication.factor': replicas,
    'transaction.state.log.min.isr': inSync,
    'share.coordinator.state.topic.num.partitions': 4,
    'share.coordinator.state.topic.replication.factor': replicas,
    'share.coordinator.state.topic.min.isr': inSync,
    'group.initial.rebalance.delay.ms': 0,
    // A killed broker is considered dead after this time, and may register again only then.
    'broker.session.timeout.ms': 6000,
    // Files of deleted topics and compacted segments stay for the scan of the run.
    ...(runRecord() !== undefined && { 'log.segment.delete.delay.ms': 86_400_000 }),
  };
  return propertiesFile(values);
}
