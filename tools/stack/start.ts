import * as fs from 'node:fs';
import * as path from 'node:path';
import { printFailure } from './failure';
import { openFolders } from './folders';
import { ownParts } from './infrastructure';
import { fixedPorts, portBase } from './ports';
import { Progress } from './progress';
import { services } from './services';
import { Session } from './session';
import { openLocalSettings } from './settings/local-settings';
import { WholeStack } from './whole-stack';

/** `npm start`: the whole of Podium on this machine until Ctrl-C; `stack.json` says where everything is. */
export async function start(): Promise<never> {
  const { environment, forServices, notices } = openLocalSettings();
  const folders = openFolders(environment.STACK_NAME);
  return Session.run('npm start', folders, async (session) => {
    const progress = new Progress();
    void session.interrupted.then(() => progress.close());
    for (const notice of notices) progress.say(notice);
    const ports = fixedPorts(portBase(environment));
    // A taken port is said before anything starts.
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
    const description = stack.describe();
    fs.writeFileSync(file, `${JSON.stringify(description, null, 2)}\n`, { mode: 0o600 });
    session.defer(() => fs.rmSync(file, { force: true }));
    console.log(`\nPodium runs, after ${progress.elapsed()}.\n\n${welcome(description, path.relative('', file))}`);
    await session.untilStopped();
    return 0;
  });
}

async function stopInOrder(stack: WholeStack): Promise<void> {
  console.log('\nStopping the services, then Kafka, Redis and Postgres (Ctrl-C again kills them at once).');
  for (const name of await stack.stop()) console.log(`${name} did not stop in time and was killed.`);
  console.log('Stopped. The data stays until "npm run stack:reset".');
}

/** Addresses, and a few commands to copy. */
function welcome(stack: Record<string, unknown>, file: string): string {
  const { gateway_url, sandbox_url, connect_url, services: running } = stack;
  const health = Object.entries(running as Record<string, { health_url: string }>)
    .map(([name, service]) => `  ${`${name} health`.padEnd(24)}${service.health_url}/health/ready`)
    .join('\n');
  return `  Gateway                 ${String(gateway_url)}
  Docs                    ${String(gateway_url)}/docs
  Connect                 ${String(connect_url)}
  Sandbox partner         ${String(sandbox_url)}
${health}
  Addresses, keys and tokens stand in ${file}.

${exampleEvent(stack, file)}${exampleRead(stack, file)}Stop with Ctrl-C.`;
}

/** The demo task's event as a command that takes its key from stack.json, so that no key ends up in a shell's history. */
function exampleEvent(stack: Record<string, unknown>, file: string): string {
  const user = stack.linked_user as { platform_user_id?: string } | undefined;
  const task = stack.demo_task as { send?: { name: string; attributes: unknown } } | undefined;
  if (!user?.platform_user_id || !task?.send || !stack.platform) return '';
  const body = JSON.stringify({
    platform_user_id: user.platform_user_id,
    platform: stack.platform,
    event: { id: '@ID', name: task.send.name, created_at: '@NOW', attributes: task.send.attributes },
  })
    .replace('"@NOW"', `'$(date +%s)'`)
    .replace('@ID', `demo-'$(date +%s%N)'`);
  return `Send an event of the linked user, which completes the demo task and awards its bonus:
  KEY=$(node -p 'require("./${file}").event_api_key')
  curl -i ${String(stack.gateway_url)}/cdp/v1/users/events/send \\
    -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
    -d '${body}'

See the award in the operators' ledger:
  npm run podium -- awards list

`;
}

/** A read of competition data that finds the demo world's player. */
function exampleRead(stack: Record<string, unknown>, file: string): string {
  const showcase = stack.competition as { player?: { nickname: string } } | undefined;
  if (!showcase?.player) return '';
  const nickname = encodeURIComponent(showcase.player.nickname);
  return `Read a player of the demo's competition world; all 63 reads, to try with this key, stand in the docs:
  DATA_KEY=$(node -p 'require("./${file}").data_api_key')
  curl -i "${String(stack.gateway_url)}/data/v4/search/players?nickname=${nickname}" -H "Authorization: Bearer $DATA_KEY"

`;
}
