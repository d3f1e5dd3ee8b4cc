/**
 * The last output of `npm start`: addresses, and a few commands to copy.
 * @param stackName The STACK_NAME of the environment; commands in another terminal need it, unlike one of `.env`.
 */
export function welcome(stack: Record<string, unknown>, file: string, stackName?: string): string {
  const podium = `${stackName === undefined ? '' : `STACK_NAME=${stackName} `}npm run podium --`;
  const { gateway_url, sandbox_url, connect_url, kafka_brokers, database_url, services: running } = stack;
  const health = Object.entries(running as Record<string, { health_url: string }>).map(
    ([name, service]): [string, string] => [`${name} health`, `${service.health_url}/health/ready`],
  );
  const rows: [string, string][] = [
    ['Start page', String(gateway_url)],
    ['Docs', `${String(gateway_url)}/docs`],
    ['Connect', String(connect_url)],
    ['Sandbox partner', `${String(sandbox_url)} (also: how it errs)`],
    ['Strict partner', `"Strict Games" at ${String(connect_url)}`],
    ['Kafka', String(kafka_brokers)],
    ['Postgres', withoutPassword(database_url)],
    ...health,
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return `${rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n')}
  Addresses, keys, passwords and tokens are in ${file}.

${exampleEvent(stack, file, podium)}${exampleBonusEngine(stack, file)}${exampleRead(stack, file)}Stop with Ctrl-C.`;
}

/** An event of the demo's user. */
interface ExampleEvent {
  readonly name: string;
  readonly attributes: unknown;
}

/** The demo task's event, and where its effects are seen. */
function exampleEvent(stack: Record<string, unknown>, file: string, podium: string): string {
  const task = stack.demo_task as { send?: ExampleEvent } | undefined;
  const send = task?.send && sendCommand(stack, task.send);
  if (!send) return '';
  return `Send an event of the linked user, which completes the demo task and awards its bonus:
  KEY=$(node -p 'require("./${file}").event_api_key')
  ${send}

See the award in the operators' ledger:
  ${podium} awards list

${exampleReports(stack, podium)}`;
}

/** Takes the key from a variable, so that no key is left in the shell's history. */
function sendCommand(stack: Record<string, unknown>, { name, attributes }: ExampleEvent): string | undefined {
  const user = stack.linked_user as { platform_user_id?: string } | undefined;
  if (!user?.platform_user_id || !stack.platform) return undefined;
  const body = JSON.stringify({
    platform_user_id: user.platform_user_id,
    platform: stack.platform,
    event: { id: '@ID', name, created_at: '@NOW', attributes },
  })
    .replace('"@NOW"', `'$(date +%s)'`)
    .replace('@ID', `demo-'$(date +%s%N)'`);
  return `curl -i ${String(stack.gateway_url)}/cdp/v1/users/events/send \\
    -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
    -d '${body}'`;
}

/** Who is in the demo segment and leaves it, why the user was awarded, and how far the user is with another task. */
function exampleReports(stack: Record<string, unknown>, podium: string): string {
  const user = stack.linked_user as { user_id?: string } | undefined;
  const segment = stack.demo_segment as { segment_id?: string; leave?: ExampleEvent } | undefined;
  const task = stack.demo_task as { task_id?: string } | undefined;
  const further = stack.demo_progress_task as { task_id?: string } | undefined;
  if (!user?.user_id || !segment?.segment_id || !task?.task_id || !further?.task_id) return '';
  const leave = segment.leave && sendCommand(stack, segment.leave);
  return `See who is in the demo segment, what counted for the task, and how far users are with the month's task:
  ${podium} segments members ${segment.segment_id}
  ${podium} tasks explain ${task.task_id} --user ${user.user_id}
  ${podium} tasks progress ${further.task_id}

${leave ? exampleLeaving(leave, `${podium} segments explain ${segment.segment_id} --user ${user.user_id}`) : ''}`;
}

function exampleLeaving(leave: string, explain: string): string {
  return `Send a bet, with which the user leaves the segment, and see why; the user enters it again at the next full hour:
  ${leave}
  ${explain}

`;
}

/** The bonus engine's example as a command for a second terminal; it pays the awards so far and each new one. */
function exampleBonusEngine(stack: Record<string, unknown>, file: string): string {
  if (typeof stack.bonus_database_url !== 'string') return '';
  return `Pay the awards as a bonus engine does, in a second terminal (Ctrl-C ends it):
  KAFKA_BROKERS=${String(stack.kafka_brokers)} \\
  BONUS_DATABASE_URL=$(node -p 'require("./${file}").bonus_database_url') \\
    node -r @swc-node/register docs/examples/bonus-engine-consumer.ts

`;
}

/** A read of competition data that finds the demo world's player. */
function exampleRead(stack: Record<string, unknown>, file: string): string {
  const showcase = stack.competition as { player?: { nickname: string } } | undefined;
  if (!showcase?.player) return '';
  const nickname = encodeURIComponent(showcase.player.nickname);
  return `Read a player of the demo's competition world; the docs list all 64 reads, to try with this key:
  DATA_KEY=$(node -p 'require("./${file}").data_api_key')
  curl -i "${String(stack.gateway_url)}/data/v4/search/players?nickname=${nickname}" -H "Authorization: Bearer $DATA_KEY"

`;
}

/** A database's address without its password. */
function withoutPassword(url: unknown): string {
  return String(url).replace(/:[^:@/]+@/, '@');
}
