import * as fs from 'node:fs';
import * as path from 'node:path';
import { printFailure } from './failure';
import { openFolders } from './folders';
import { Infrastructure, ownParts } from './infrastructure';
import { fixedPorts, portBase } from './ports';
import { createTopics, migrate } from './prepare';
import { Progress } from './progress';
import { Session } from './session';
import { openLocalSettings } from './settings/local-settings';

/** `npm run stack`: Postgres, Redis and Kafka, migrated and with topics, until Ctrl-C; `infra.json` says where they are. */
export async function runInfrastructureOnly(): Promise<never> {
  const { environment, notices } = openLocalSettings();
  const folders = openFolders(environment.STACK_NAME);
  return Session.run('npm run stack', folders, async (session) => {
    const progress = new Progress();
    void session.interrupted.then(() => progress.close());
    for (const notice of notices) progress.say(notice);
    const ports = fixedPorts(portBase(environment));
    for (const part of ownParts(environment)) await ports(part);
    const infrastructure = await Infrastructure.start({
      folders,
      ports,
      progress,
      environment,
      onCrash: printFailure,
    });
    session.defer(async () => {
      await infrastructure.stop();
    });
    const file = path.join(folders.root, 'infra.json');
    fs.writeFileSync(file, `${JSON.stringify(infrastructure.addresses, null, 2)}\n`, { mode: 0o600 });
    session.defer(() => fs.rmSync(file, { force: true }));
    // The servers keep running when a migration fails, which helps its author.
    await migrate(infrastructure, progress).catch(printFailure);
    await createTopics(infrastructure, progress).catch(printFailure);
    console.log(`\nThe infrastructure runs; ${path.relative(process.cwd(), file)} says where. Ctrl-C stops it.`);
    await session.untilStopped();
    console.log('\nStopping Kafka, Redis and Postgres.');
    return 0;
  });
}
