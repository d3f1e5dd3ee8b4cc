import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { showcaseOf } from '../competition/world/showcase';
import { Admin } from './admin';
import { AnswerError, call, until } from './api';
import { makeDataKeys } from './data-keys';
import { demoContract, demoEvent, demoLeavingEvent, demoProgressTask, demoSegment, demoTask } from './demo';
import { followPorts, Integration, isOnOtherPort, newClient, sandboxAddresses } from './follow-ports';
import { linkedNickname, linkUser, repeatLogIn } from './link-user';
import { DemoKeys, replaceEndedKeys } from './replace-ended-keys';
import { ensureStrictPartner } from './strict-partner';

const help = `Makes the demo through the public API: a partner integration with contract and key, a linked user, a segment, two tasks,
keys for competition data, and an integration with a second partner.
A second run finds the existing demo, and changes its addresses alone, if PORT_BASE has changed, and keys that were revoked or have
expired. Prints the content of stack.json as one JSON object.

Environment: GATEWAY_URL, SANDBOX_URL, SEED_FILE (keeps what is shown only once, mode 600)`;

const platform = 'acme-bets';
const organizerId = 'acme-prizes';
const userId = 'demo-user';

/** The seed of the demo's competition world. */
const showcase = showcaseOf(1);
const demoQueue = { gameId: showcase.gameId, organizerId: showcase.organizer.id };

/** What the seed stores for later starts. */
interface Memory extends DemoKeys {
  integration_id: string;
  platform_user_id: string;
  task_id: string;
  progress_task_id: string;
  segment_id: string;
  segment_name: string;
}

interface SandboxPartner {
  accounts: { sub: string; nickname: string }[];
}

async function seed(env: { gatewayUrl: string; sandboxUrl: string; file: string }): Promise<object> {
  const token = (sub: string, roles?: object): Promise<string> => mint(env.sandboxUrl, sub, roles);
  const operatorToken = await token('demo-operator', { '*': 'admin' });
  const approverToken = await token('demo-approver', { '*': 'approver' });
  const userToken = await token(userId);
  const admin = new Admin(`${env.gatewayUrl}/admin/v1`, operatorToken);
  const known = remembered(env.file);
  const memory = known ?? (await make(env, { operatorToken, approverToken, userToken }));
  if (!known) write(env.file, memory);
  else {
    const integration = await integrationOf(admin, known, env.file);
    const replaced = await replaceEndedKeys(admin, known, { ...env, platform, integration, queue: demoQueue });
    if (Object.keys(replaced).length > 0) write(env.file, Object.assign(known, replaced));
    await followPorts(admin, integration, { ...env, userToken, eventApiKey: known.event_api_key });
    // The user may have linked another account at /connect; events are of the one that is linked now.
    const nickname = await linkedNickname({ ...env, userToken, integrationId: known.integration_id });
    known.platform_user_id = (await subOf(env.sandboxUrl, nickname)) ?? known.platform_user_id;
  }
  return {
    platform,
    event_api_key: memory.event_api_key,
    organizer_id: organizerId,
    linked_user: { user_id: userId, platform_user_id: memory.platform_user_id },
    unlinked_user_token: await token('demo-newcomer'),
    negotiated_events: Object.fromEntries(
      demoContract.map((event) => [event.name, event.attributes.map((attribute) => attribute.name)]),
    ),
    demo_task: { task_id: memory.task_id, send: { ...demoEvent, times: 1 } },
    demo_progress_task: { task_id: memory.progress_task_id },
    demo_segment: { segment_id: memory.segment_id, leave: demoLeavingEvent },
    integration_id: memory.integration_id,
    strict_integration_id: await ensureStrictPartner(admin, { ...env, organizerId }),
    data_api_key: memory.data_api_key,
    queue_developer_key: memory.queue_developer_key,
    queue_organizer_key: memory.queue_organizer_key,
    competition: showcase,
    operator_token: operatorToken,
    approver_token: approverToken,
    user_token: userToken,
  };
}

function write(file: string, memory: Memory): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(memory), { mode: 0o600 });
}

/** The result of an earlier run, if it is complete. */
function remembered(file: string): Memory | undefined {
  if (!existsSync(file)) return undefined;
  let memory: Memory;
  try {
    memory = JSON.parse(readFileSync(file, 'utf8')) as Memory;
  } catch {
    // A full disk or a power cut has cut the file short.
    return undefined;
  }
  // Created by an earlier release, which had no keys for competition data, no task with progress, or another segment.
  const isComplete = memory.data_api_key !== undefined && memory.progress_task_id !== undefined;
  return isComplete && memory.segment_name === demoSegment.name ? memory : undefined;
}

/** The integration of an earlier run; throws when the servers do not have it. */
async function integrationOf(admin: Admin, { integration_id }: Memory, file: string): Promise<Integration> {
  try {
    return await admin.get(`/integrations/${integration_id}`);
  } catch (error) {
    if (!(error instanceof AnswerError) || error.status !== 404) throw error;
    throw new Error(
      `the data in ${dirname(file)} belongs to another Postgres or Kafka: give this one a stack of its own with STACK_NAME=<new name>, or remove all local data with "npm run stack:reset".`,
      { cause: error },
    );
  }
}

/** Creates the missing parts: an earlier run may have been interrupted at any point. */
async function make(
  env: { gatewayUrl: string; sandboxUrl: string },
  {
    operatorToken,
    approverToken,
    userToken,
  }: Readonly<Record<'operatorToken' | 'approverToken' | 'userToken', string>>,
): Promise<Memory> {
  const [admin, approver] = [operatorToken, approverToken].map(
    (token) => new Admin(`${env.gatewayUrl}/admin/v1`, token),
  );
  const client = newClient();
  const { integration, hasMoved } = await makeIntegration(admin, env.sandboxUrl, client);
  const path = `/integrations/${integration.integration_id}`;
  const [contract] = await admin.list<Contract>(`${path}/contracts`);
  if (contract === undefined) await admin.post(`${path}/contracts`, { events: demoContract });
  else requireMoney(contract);
  // Another service checks definitions against the contract and must have read it first.
  await until('the contract being in force everywhere', 60_000, async () => {
    const [newest] = await admin.list<{ in_force_at: string | null }>(`${path}/contracts`);
    return newest?.in_force_at ?? undefined;
  });
  for (const { key_id, state } of await admin.list<{ key_id: string; state: string }>(`${path}/keys`))
    if (state === 'live') await admin.post(`/keys/${key_id}/revoke`, {});
  const { key } = await admin.post<{ key: string }>(`${path}/keys`, {});
  const { redirect_url, send_event_url } = integration.onboarding.test;
  await call('PUT', `${env.sandboxUrl}/dev/partners/${platform}`, {
    body: { client: { ...client, redirect_url }, sending: { send_event_url, platform, event_api_key: key } },
  });
  const segment = await makeDefinition({ admin, approver }, 'segments', demoSegment);
  const task = await makeDefinition({ admin, approver }, 'tasks', demoTask);
  const progressTask = await makeDefinition({ admin, approver }, 'tasks', demoProgressTask);
  const link = { ...env, userToken, integrationId: integration.integration_id };
  if (hasMoved) await repeatLogIn(link);
  await linkUser({ ...link, account: 'lucky-fox' });
  const sub = await subOf(env.sandboxUrl, 'lucky-fox');
  if (sub === undefined) throw new Error('the sandbox partner does not know the account that was linked');
  return {
    ...(await makeDataKeys(admin, demoQueue)),
    integration_id: integration.integration_id,
    event_api_key: key,
    platform_user_id: sub,
    task_id: task,
    progress_task_id: progressTask,
    segment_id: segment,
    segment_name: demoSegment.name,
  };
}

/** The id of an account at the sandbox partner; undefined when it has none of that name. */
async function subOf(sandboxUrl: string, nickname: string | undefined): Promise<string | undefined> {
  const { accounts } = await call<SandboxPartner>('GET', `${sandboxUrl}/dev/partners/${platform}`);
  return accounts.find((candidate) => candidate.nickname === nickname)?.sub;
}

async function makeIntegration(
  admin: Admin,
  sandboxUrl: string,
  client: { client_id: string; client_secret: string },
): Promise<{ integration: Integration; hasMoved: boolean }> {
  const addresses = sandboxAddresses(sandboxUrl, platform);
  const known = (await admin.list<Integration>('/integrations')).find((candidate) => candidate.platform === platform);
  if (known) {
    const hasMoved = isOnOtherPort(known.base_url, addresses.base_url);
    const change = { ...(hasMoved && addresses), ...client };
    return { hasMoved, integration: await admin.patch(`/integrations/${known.integration_id}`, change) };
  }
  const integration = await admin.post<Integration>('/integrations', {
    ...{ platform, partner: 'Acme Bets', organizer_id: organizerId, display_name: 'Acme Bets' },
    ...addresses,
    ...client,
  });
  return { hasMoved: false, integration };
}

/** A version of a contract. */
interface Contract {
  events: { name: string; attributes: { name: string; currency_attribute?: string }[] }[];
}

/** An attribute cannot become money later, and the demo's definitions name the currency of deposits. */
function requireMoney({ events }: Contract): void {
  const deposit = events.find(({ name }) => name === 'deposit');
  const isMoney = deposit?.attributes.some(({ name, currency_attribute }) => name === 'amount' && currency_attribute);
  if (!isMoney)
    throw new Error(
      `the contract of ${platform} was published by an earlier release, without the currency of deposits: give this release a stack of its own with STACK_NAME=<new name>, or remove all local data with "npm run stack:reset".`,
    );
}

/** A definition as its list shows it. */
interface Definition {
  segment_id?: string;
  task_id?: string;
  name: string;
  state: string;
}

/** One operator writes it and another one publishes it. */
async function makeDefinition(
  { admin, approver }: { readonly admin: Admin; readonly approver: Admin },
  kind: 'segments' | 'tasks',
  definition: { name: string },
): Promise<string> {
  const idOf = ({ segment_id, task_id }: Definition): string => segment_id ?? task_id ?? '';
  const known = (await admin.list<Definition>(`/${kind}`)).find((candidate) => candidate.name === definition.name);
  const id = idOf(known ?? (await admin.post<Definition>(`/${kind}`, { platform, ...definition })));
  if (known?.state !== 'published') await approver.post(`/${kind}/${id}/publish`, {});
  return id;
}

async function mint(sandboxUrl: string, sub: string, podiumRoles?: object): Promise<string> {
  const { access_token } = await call<{ access_token: string }>('POST', `${sandboxUrl}/dev/tokens`, {
    body: { sub, podium_roles: podiumRoles },
  });
  return access_token;
}

if (process.argv.includes('--help')) console.log(help);
else {
  const { GATEWAY_URL, SANDBOX_URL, SEED_FILE } = process.env;
  if (!GATEWAY_URL || !SANDBOX_URL || !SEED_FILE) {
    console.error('GATEWAY_URL, SANDBOX_URL and SEED_FILE are required; see --help.');
    process.exitCode = 1;
  } else
    seed({ gatewayUrl: GATEWAY_URL, sandboxUrl: SANDBOX_URL, file: SEED_FILE })
      .then((result) => process.stdout.write(JSON.stringify(result)))
      .catch((error: Error) => {
        console.error(`Seeding the demo failed: ${error.message}`);
        process.exitCode = 1;
      });
}
