import * as fs from 'node:fs';
import * as path from 'node:path';
import { openBonusDatabase } from './bonus-database';
import { printFailure } from './failure';
import { openFolders } from './folders';
import { ownParts } from './infrastructure';
import { fixedPorts, portBase } from './ports';
import { Progress } from './progress';
import { services } from './services';
import { Session } from './session';
import { openLocalSettings } from './settings/local-settings';
import { welcome } from './welcome';
import { WholeStack } from './whole-stack';

/** `npm start`: the whole of Podium on this machine until Ctrl-C; `stack.json` says where everything is. */
export async function start(): Promise<never> {
  const { environment, forServices, notices } = openLocalSettings();
  const folders = openFolders(environment.STACK_NAME);
  const { STACK_NAME: givenName } = process.env;
  return Session.run('npm start', folders, async (session) => {
    const progress = new Progress();
    void session.interrupted.then(() => progress.close());
    for (const notice of notices) progress.say(notice);
    const ports = fixedPorts(portBase(environment));
    // Reports a used port before anything starts.
    const names = [...ownParts(environment), ...services.flatMap((row) => [row.port, row.healthPort])];
    for (const name of names) await ports(name);
    const stack = await WholeStack.start({
      folders,
      ports,
      progress,
      environment,
      settings: forServices,
      onCrash: printFailure,
    });
    session.defer(() => stopInOrder(stack));
    const file = path.join(folders.root, 'stack.json');
    const bonus_database_url = await openBonusDatabase(stack.infrastructure);
    const description = { ...stack.describe(), ...(bonus_database_url && { bonus_database_url }) };
    fs.writeFileSync(file, `${JSON.stringify(description, null, 2)}\n`, { mode: 0o600 });
    session.defer(() => fs.rmSync(file, { force: true }));
    const text = welcome(description, path.relative('', file), givenName);
    console.log(`\nPodium runs, after ${progress.elapsed()}.\n\n${text}`);
    await session.untilStopped();
    return 0;
  });
}

async function stopInOrder(stack: WholeStack): Promise<void> {
  console.log('\nStopping the services, then Kafka, Redis and Postgres (Ctrl-C again kills them at once).');
  for (const name of await stack.stop()) console.log(`${name} did not stop in time and was killed.`);
  console.log('Stopped. The data stays until "npm run stack:reset".');
}
