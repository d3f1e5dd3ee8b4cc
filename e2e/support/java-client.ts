import { ChildProcess, spawn } from 'node:child_process';
import * as path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { StackFolders } from '../../tools/stack/folders';
import { openKafkaJars } from '../../tools/stack/kafka-jars';

/** What the client can compress batches with; all that Kafka has. */
export const codecs = ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const;

/** A record as the client read it. */
export interface JavaRecord {
  readonly topic: string;
  readonly key: string;
  readonly value: string;
}

/** It lives for seconds: to optimize its code would take longer than to run it. */
const javaOptions = [
  '-Xmx128m',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
];

/** The official client of Kafka in a process of its own, from the jars that the local stack's broker runs on. */
export class JavaClient {
  /** All that was read, in the order of each partition. */
  readonly records: JavaRecord[] = [];
  private said = '';
  private readonly ended: Promise<number | null>;

  private constructor(private readonly child: ChildProcess) {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const [topic, key, value] = line.split('\t');
      this.records.push({ topic, key, value });
    });
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.said += text));
    this.ended = new Promise((resolve) => child.once('close', resolve));
  }

  /** Starts it; `records` fills in the background with what the topics hold. */
  static async start(folders: StackFolders, brokers: string, topics: readonly string[]): Promise<JavaClient> {
    const jars = path.join(await openKafkaJars(folders), '*');
    const program = path.join(__dirname, 'java/KafkaPipe.java');
    return new JavaClient(spawn('java', [...javaOptions, '-cp', jars, program, brokers, ...topics]));
  }

  /** Waits until so many records of a topic were read. */
  async hasRead(topic: string, count: number, timeoutMs = 60_000): Promise<readonly JavaRecord[]> {
    for (const endMs = Date.now() + timeoutMs; ; await sleep(50)) {
      const read = this.records.filter((record) => record.topic === topic);
      if (read.length >= count) return read;
      if (this.child.exitCode !== null || Date.now() > endMs)
        throw new Error(
          `the Java client has read ${read.length} of ${count} records of ${topic}; it says: ${this.said}`,
        );
    }
  }

  /** Sends a record; those of the next second with the same codec travel in its batch. */
  send(codec: (typeof codecs)[number], { topic, key, value }: JavaRecord): void {
    this.child.stdin!.write(`${[codec, topic, key, value].join('\t')}\n`);
  }

  /** Resolves once everything that was sent is acknowledged and the process has ended. */
  async finish(): Promise<void> {
    this.child.stdin!.end();
    const exitCode = await this.ended;
    if (exitCode !== 0) throw new Error(`the Java client ended with ${exitCode}; it says: ${this.said}`);
  }

  /** Ends the process, whatever it does. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}
