import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { Kafka, createKafka } from '@podium/runtime/kafka';
import { pino } from 'pino';
import { StackFolders } from '../../../tools/stack/folders';
import { openKafkaJars } from '../../../tools/stack/kafka-jars';
import { freePort } from '../../../tools/stack/ports';
import { ServerProcess, runTool } from '../../../tools/stack/server-process';

const logger = pino({ level: 'silent' });

/**
 * A real broker as in a cluster: TLS, SCRAM users, and an authorizer that denies everything without a rule. Its second
 * listener is for the test alone and allows everything.
 */
export class SecuredBroker {
  private constructor(
    private readonly ports: { readonly guarded: number; readonly free: number },
    private readonly authority: string,
    private readonly process: ServerProcess,
  ) {}

  /** Starts it with a user per name, whose password is the name. */
  static async start(folders: StackFolders, users: readonly string[]): Promise<SecuredBroker> {
    const [guarded, free, controller] = [await freePort(), await freePort(), await freePort()];
    const settings = path.join(folders.data, 'guarded.properties');
    const store = path.join(folders.data, 'broker.p12');
    fs.writeFileSync(settings, settingsOf({ guarded, free, controller }, folders.data, store));
    const authority = makeCertificate(store);
    const classPath = path.join(await openKafkaJars(folders), '*');
    const logPath = path.join(folders.logs, 'guarded-broker.log');
    const credentials = users.flatMap((name) => ['--add-scram', `SCRAM-SHA-512=[name=${name},password=${name}]`]);
    const format = [
      'kafka.tools.StorageTool',
      'format',
      '-t',
      'SecuredBrokerOfOneTest',
      '-c',
      settings,
      ...credentials,
    ];
    await runTool({ name: 'Kafka StorageTool', command: 'java', args: ['-cp', classPath, ...format], logPath });
    const args = ['-Xms128m', '-Xmx384m', '-XX:+UseSerialGC', '-cp', classPath, 'kafka.Kafka', settings];
    const broker = new SecuredBroker(
      { guarded, free },
      authority,
      new ServerProcess({ name: 'broker', command: 'java', args, logPath }),
    );
    broker.process.spawn();
    await broker.process.waitUntil(() => broker.answers(), 90_000);
    return broker;
  }

  /** The client of a user. */
  clientOf(user: string): Kafka {
    return createKafka({
      brokers: [`localhost:${this.ports.guarded}`],
      clientId: user,
      logger,
      ssl: { ca: this.authority },
      sasl: { mechanism: 'scram-sha-512', username: user, password: user },
    });
  }

  /** The client of the test itself. */
  freeClient(): Kafka {
    return createKafka({ brokers: [`localhost:${this.ports.free}`], clientId: 'test', logger });
  }

  async stop(): Promise<void> {
    await this.process.stop(20_000);
  }

  private async answers(): Promise<boolean> {
    const admin = this.freeClient().admin({ retry: { retries: 0 } });
    try {
      await admin.connect();
      return (await admin.describeCluster()).brokers.length === 1;
    } catch {
      return false;
    } finally {
      await admin.disconnect();
    }
  }
}

function settingsOf(
  ports: Readonly<Record<'guarded' | 'free' | 'controller', number>>,
  data: string,
  store: string,
): string {
  const listeners = `GUARDED://localhost:${ports.guarded},FREE://localhost:${ports.free},CONTROLLER://localhost:${ports.controller}`;
  const values = {
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@localhost:${ports.controller}`,
    listeners,
    'advertised.listeners': listeners,
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'FREE',
    'listener.security.protocol.map': 'GUARDED:SASL_SSL,FREE:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'sasl.enabled.mechanisms': 'SCRAM-SHA-512',
    'listener.name.guarded.scram-sha-512.sasl.jaas.config':
      'org.apache.kafka.common.security.scram.ScramLoginModule required;',
    'ssl.keystore.type': 'PKCS12',
    'ssl.keystore.location': store,
    'ssl.keystore.password': storePassword,
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'super.users': 'User:ANONYMOUS',
    'log.dirs': path.join(data, 'guarded-broker'),
    'auto.create.topics.enable': false,
    'offsets.topic.num.partitions': 1,
    'offsets.topic.replication.factor': 1,
    'transaction.state.log.num.partitions': 1,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'group.initial.rebalance.delay.ms': 0,
  };
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

const storePassword = 'of-one-test';

/** Makes the broker's key and returns its self-signed certificate. */
function makeCertificate(store: string): string {
  const keytool = (...args: string[]): string =>
    execFileSync('keytool', [...args, '-alias', 'broker', '-keystore', store, '-storepass', storePassword], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const kind = ['-storetype', 'PKCS12', '-keyalg', 'EC', '-groupname', 'secp256r1', '-validity', '2'];
  keytool('-genkeypair', ...kind, '-dname', 'CN=localhost', '-ext', 'san=dns:localhost');
  return keytool('-exportcert', '-rfc');
}
