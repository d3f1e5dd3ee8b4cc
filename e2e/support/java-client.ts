import { ChildProcess, spawn } from 'node:child_process';
import * as path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { StackFolders } from '../../tools/stack/folders';
import { openKafkaJars } from '../../tools/stack/kafka-jars';

/** All compression codecs of Kafka. */
export const codecs = ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const;

/** A record that the client has read. */
export interface JavaRecord {
  readonly topic: string;
  readonly key: string;
  readonly value: string;
}

/** The process runs for seconds, so that full JIT compilation would cost more time than it saves. */
const javaOptions = [
  '-Xmx128m',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
];

/** The official Java client of Kafka in a separate process, with the jars of the local stack's broker. */
export class JavaClient {
  /** All records read so far, in the order of each partition. */
  readonly records: JavaRecord[] = [];
  private stderr = '';
  private readonly ended: Promise<number | null>;

  private constructor(private readonly child: ChildProcess) {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const [topic, key, value] = line.split('\t');
      this.records.push({ topic, key, value });
    });
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.ended = new Promise((resolve) => child.once('close', resolve));
  }

  /** Starts the client; it reads the topics from the beginning into `records` in the background. */
  static async start(folders: StackFolders, brokers: string, topics: readonly string[]): Promise<JavaClient> {
    const jars = path.join(await openKafkaJars(folders), '*');
    const program = path.join(__dirname, 'java/KafkaPipe.java');
    return new JavaClient(spawn('java', [...javaOptions, '-cp', jars, program, brokers, ...topics]));
  }

  /** Waits until a number of records of a topic was read. */
  async hasRead(topic: string, count: number, timeoutMs = 60_000): Promise<readonly JavaRecord[]> {
    for (const endMs = Date.now() + timeoutMs; ; await sleep(50)) {
      const read = this.records.filter((record) => record.topic === topic);
      if (read.length >= count) return read;
      if (this.child.exitCode !== null || Date.now() > endMs)
        throw new Error(
          `the Java client has read ${read.length} of ${count} records of ${topic}; its errors: ${this.stderr}`,
        );
    }
  }

  /** Sends a record; records of the next second with the same codec share its batch. */
  send(codec: (typeof codecs)[number], { topic, key, value }: JavaRecord): void {
    this.child.stdin!.write(`${[codec, topic, key, value].join('\t')}\n`);
  }

  /** Resolves once all sent records are acknowledged and the process has ended. */
  async finish(): Promise<void> {
    this.child.stdin!.end();
    const exitCode = await this.ended;
    if (exitCode !== 0) throw new Error(`the Java client ended with ${exitCode}; its errors: ${this.stderr}`);
  }

  /** Kills the process. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}
