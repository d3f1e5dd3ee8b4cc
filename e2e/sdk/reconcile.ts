import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordKey } from '@podium/messages';
import { Redis } from 'ioredis';
import { restartUntilReady } from '../faults/restart-until-ready';
import { scrape } from '../operations/scrape';
import { PartnerUnderTest } from '../support/partner-under-test';
import { stockClient } from '../support/read-topic';
import { BatchSender } from './batch-sender';
import { CheckContext, Finding, noneOf } from './check';
import { CommandRun, partnerCommand } from './partner-command';
import { eventName } from './partner-plan';

const ratePerSecond = 5_000;
const arrivingPerSecond = 500;
const deadLetters = 20;
const mostServiceS = 60;
/** A garbage collector does not end at the same byte in every run; the ids themselves would take more. */
const mostGrowthMb = 50;

/**
 * Asks by `podium-partner reconcile` which of many accepted events were never accepted: while events arrive, after Redis has
 * lost everything, with dead letters among them, and while engagement does not run.
 */
export async function checkReconcile(context: CheckContext): Promise<Finding[]> {
  const { stack, folder, sizes, say, random } = context;
  const platform = 'reconciled';
  const contract = [{ name: eventName, kind: 'repeatable' as const, attributes: [] }];
  const partner = await PartnerUnderTest.setUp(stack, { platform, contract, users: 1 });
  await partner.setRate(ratePerSecond);
  const access = { url: stack.services.publicUrl, key: partner.keys[0] };
  const sender = new BatchSender({ ...access, platform }, partner.users[0].platformUserId);
  const accepted = idsOf('sent', sizes.askedIds - sizes.neverAccepted - deadLetters);
  await sender.send(accepted);
  say(`${accepted.length} events were accepted`);
  const dead = idsOf('dead', deadLetters);
  await writeUndecodable(stack.infrastructure.addresses.kafka_brokers, platform, dead);
  const never = idsOf('never', sizes.neverAccepted);
  await flush(stack.infrastructure.addresses.redis_url);

  const ask = async (name: string, ids: readonly string[]) => {
    const file = path.join(folder, `${name}.txt`);
    fs.writeFileSync(file, `${ids.join('\n')}\n`);
    const run = await partnerCommand(['reconcile', file], access).ended;
    return { run, missing: missingIn(`${file}.missing`) };
  };
  const arriving = arrive(sender);
  const asked = random.shuffled([...accepted, ...dead, ...never]);
  const answered = await ask('asked', asked);
  const arrived = await arriving.stop();
  const findings = [
    ...exactly(`${asked.length} ids, ${arrived} events arriving, an empty Redis`, answered, never),
    ...(await whileAway(context, access, { accepted: accepted.slice(0, 1_000), never: never.slice(0, 10) })),
  ];
  const before = await serviceSeconds(context);
  const startedMs = performance.now();
  const many = await ask('many', [...asked, ...idsOf('unknown', sizes.manyIds - asked.length)]);
  const tookS = (performance.now() - startedMs) / 1000;
  const serviceS = (await serviceSeconds(context)) - before;
  const growthMb = many.run.peakMemoryMb - answered.run.peakMemoryMb;
  return [
    ...findings,
    {
      holds: many.missing.length === sizes.manyIds - accepted.length - dead.length && serviceS < mostServiceS,
      sentence:
        `${sizes.manyIds} ids in ${tookS.toFixed(1)} s, ${serviceS.toFixed(1)} s of them in the service ` +
        `(at most ${mostServiceS}); ${many.missing.length} missing`,
    },
    {
      holds: growthMb < mostGrowthMb,
      sentence: `the command took ${many.run.peakMemoryMb.toFixed(0)} MB at most, with ${asked.length} ids ${answered.run.peakMemoryMb.toFixed(0)} MB`,
    },
  ];
}

/** Asks while engagement does not run: 503, and the command waits until it does. */
async function whileAway(
  { stack, folder }: CheckContext,
  access: { readonly url: string; readonly key: string },
  ids: { readonly accepted: readonly string[]; readonly never: readonly string[] },
): Promise<Finding[]> {
  const engagement = stack.services.first('engagement');
  await engagement.kill();
  const response = await fetch(`${access.url}/cdp/v1/users/events/reconcile`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${access.key}` },
    body: JSON.stringify({ ids: ids.never }),
  });
  await response.arrayBuffer();
  const file = path.join(folder, 'away.txt');
  fs.writeFileSync(file, `${[...ids.accepted, ...ids.never].join('\n')}\n`);
  const command = partnerCommand(['reconcile', file], access);
  await sleep(5_000);
  await restartUntilReady(engagement);
  const run = await command.ended;
  return [
    { holds: response.status === 503, sentence: `${response.status} while engagement does not run` },
    ...exactly('asked while engagement does not run', { run, missing: missingIn(`${file}.missing`) }, ids.never),
  ];
}

function exactly(
  what: string,
  { run, missing }: { readonly run: CommandRun; readonly missing: readonly string[] },
  never: readonly string[],
): Finding[] {
  const [said, real] = [new Set(missing), new Set(never)];
  const sentence = `${what}: exit code ${run.exitCode}, ${missing.length} missing of ${never.length}`;
  return [
    { holds: run.exitCode === 1 && said.size === missing.length, sentence },
    noneOf(
      'ids were reported although they were accepted',
      missing.filter((id) => !real.has(id)),
    ),
    noneOf(
      'ids were not reported although they were never accepted',
      never.filter((id) => !said.has(id)),
    ),
  ];
}

function idsOf(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, number) => `${prefix}-${number}`);
}

function missingIn(file: string): string[] {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

/** Sends events at a steady rate until it is stopped; resolves with their number. */
function arrive(sender: BatchSender): { stop(): Promise<number> } {
  let [isOver, sent] = [false, 0];
  const sending = (async (): Promise<void> => {
    const startedMs = performance.now();
    while (!isOver) {
      await sender.send(idsOf(`arriving-${sent}`, arrivingPerSecond / 5));
      sent += arrivingPerSecond / 5;
      await sleep(Math.max(0, startedMs + (sent * 1000) / arrivingPerSecond - performance.now()));
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await sending;
      return sent;
    },
  };
}

/** Accepted events in the form of a later release, which engagement cannot apply. */
async function writeUndecodable(brokers: string, platform: string, ids: readonly string[]): Promise<void> {
  const producer = stockClient(brokers).producer();
  await producer.connect();
  const messages = ids.map((id) => ({
    key: recordKey(platform, 'account'),
    value: JSON.stringify({
      ...{ type: 'ingestion.user-event.accepted', schema_version: 99, data: { platform, event: { id } } },
    }),
  }));
  await producer.send({ topic: 'ingestion.user-events.v1', messages });
  await producer.disconnect();
}

async function flush(url: string): Promise<void> {
  const redis = new Redis(url);
  await redis.flushall().finally(() => redis.disconnect());
}

/** Seconds that the gateway has taken for questions so far, from their headers to the answer. */
async function serviceSeconds({ stack }: CheckContext): Promise<number> {
  const gateways = stack.services
    .of('gateway')
    .map(({ name, healthUrl }) => [name, { health_url: healthUrl }] as const);
  return (await scrape(Object.fromEntries(gateways)))
    .filter(({ name }) => name === 'gateway_request_duration_seconds_sum')
    .filter(({ labels }) => labels.route === 'reconcile-events')
    .reduce((total, { value }) => total + value, 0);
}
