import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { StackFailure } from './failure';
import { StackFolders } from './folders';
import { javaEnvironment } from './java-environment';
import { runTool } from './server-process';

const pom = path.join(__dirname, 'kafka/pom.xml');

/** The folder with the broker's jars, resolved by Maven once for each content of the pom. */
export async function openKafkaJars(folders: StackFolders): Promise<string> {
  const hash = createHash('sha256').update(fs.readFileSync(pom)).digest('hex').slice(0, 12);
  const home = path.join(folders.cache, `kafka-${hash}`);
  if (fs.existsSync(home)) return home;
  const draft = `${home}.${process.pid}`;
  fs.rmSync(draft, { recursive: true, force: true });
  await resolve(draft, path.join(folders.logs, 'kafka-jars.log'));
  // Another stack may have been faster.
  if (fs.existsSync(home)) fs.rmSync(draft, { recursive: true });
  else fs.renameSync(draft, home);
  return home;
}

async function resolve(folder: string, logPath: string): Promise<void> {
  try {
    await runTool({
      name: 'mvn',
      command: 'mvn',
      args: [
        '-B',
        '-ntp',
        '-f',
        pom,
        'dependency:copy-dependencies',
        '-DincludeScope=runtime',
        `-DoutputDirectory=${folder}`,
      ],
      env: javaEnvironment(),
      logPath,
    });
  } catch (error) {
    fs.rmSync(folder, { recursive: true, force: true });
    const details = error instanceof StackFailure ? error.details : undefined;
    throw new StackFailure(
      `Maven could not download the Kafka broker's jars (${logPath}): check the network or Maven's settings and start again, or give the addresses of running brokers in KAFKA_BROKERS.`,
      details,
    );
  }
}
