import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { until } from '../../tools/seed/api';
import { restartUntilReady } from '../faults/restart-until-ready';
import { nowS } from '../support/partner-api';
import { LinkedUser, PartnerUnderTest, countingTask } from '../support/partner-under-test';
import { acceptedIds } from './accepted-ids';
import { CheckContext, Finding, noneOf } from './check';
import { killProcesses } from './kill-processes';
import { PartnerPlan, accountOf, eventName } from './partner-plan';
import { PartnerProcess, SdkName, confirmedIds, programs } from './partner-process';

const ratePerSecond = 1_000;
/**
 * A task awards at most 1,000 occurrences at one instant without an approver, and an event that comes late among more than
 * 2,000 single ones of a user and name is counted without an award (docs/engine.md): a user has fewer.
 */
const mostEventsPerUser = 750;
/** A queue asks again about a user who was not linked after this time at the latest, and then sends the rest. */
const finishMs = 180_000;

/**
 * Sends events through an SDK while the partner's process, the gateway and Redis are killed. What was confirmed must be in
 * the topic, and each event must have had one effect: one award of a task that awards every event.
 */
export async function checkUnderFire(sdk: SdkName, context: CheckContext): Promise<Finding[]> {
  const { stack, folder, sizes, say } = context;
  const platform = `fire-${sdk.toLowerCase()}`;
  // One of them is not linked at first.
  const users = Math.max(8, Math.ceil(sizes.fireEvents / mostEventsPerUser)) + 1;
  const partner = await PartnerUnderTest.setUp(stack, { platform, contract, users });
  await partner.setRate(ratePerSecond);
  const taskId = await partner.addTask(countingTask(eventName, 1));
  const late = partner.users[partner.users.length - 1];
  await partner.unlink(late);
  const plan: PartnerPlan = {
    ...{ url: stack.services.publicUrl, platform, prefix: platform, events: sizes.fireEvents, createdAt: nowS() },
    ...{ folder: path.join(folder, platform), confirmedFile: path.join(folder, `${platform}.ids`) },
    accounts: partner.users.filter((user) => user !== late).map(({ platformUserId }) => platformUserId),
    ...{ lateAccount: late.platformUserId, lateEvery: 50, singleEvery: 20 },
    enqueuePerSecond: (sizes.fireEvents * 1000) / (sizes.kills * meanMsBetweenKills),
  };
  fs.mkdirSync(plan.folder);
  const { running, ended, restarts } = await underFire(sdk, plan, partner.keys[0], context);
  const setAside = running.line('drained')?.setAside ?? 0;
  say(`${sdk}: only events of the user who is not linked are left`);
  const beforeLink = await acceptedIds(context, platform);
  await partner.link(late);
  await running.finish(finishMs);
  say(`${sdk}: the process was killed ${sizes.kills - ended.length} times, gateways and Redis ${restarts} times`);
  return [
    noneOf('processes ended by themselves before they were killed', ended),
    ...(await compare(context, { plan, late, taskId, beforeLink })),
    {
      holds: setAside > 0,
      sentence: `${setAside} events of a user who was not linked waited while those of others were accepted`,
    },
  ];
}

const msBetweenKills = [1_500, 5_500] as const;
/** The process is killed both while it is handed events and while it only sends. */
const meanMsBetweenKills = 3_000;

/** Starts and kills the process until it has nothing left but what waits. */
async function underFire(
  sdk: SdkName,
  plan: PartnerPlan,
  key: string,
  { stack, sizes, say, random }: CheckContext,
): Promise<{ running: PartnerProcess; ended: readonly string[]; restarts: number }> {
  let [restarts, isOver] = [0, false];
  const restartServers = async (): Promise<void> => {
    const { redis } = stack.infrastructure;
    while (!isOver) {
      await sleep(random.between(3_000, 6_000));
      const gateway = stack.services.of('gateway')[0];
      await gateway.kill();
      await restartUntilReady(gateway);
      if (redis && restarts % 2 === 1) {
        await redis.stop();
        await sleep(random.between(500, 1_500));
        await restartUntilReady(redis);
      }
      restarts += 1;
    }
  };
  const servers = restartServers();
  try {
    const { running, ended } = await killProcesses({
      count: sizes.kills,
      start: () => new PartnerProcess(programs[sdk], plan, key),
      pause: () => sleep(random.between(...msBetweenKills)),
      onKilled: () => say(`${sdk}: killed, ${confirmedIds(plan).size} of ${plan.events} events confirmed`),
    });
    await until(`the queue of the SDK for ${sdk} being sent`, 600_000, () => {
      if (running.end !== null) throw new Error(`the process with the SDK for ${sdk} ended: ${running.end}`);
      return Promise.resolve(running.line('drained'));
    });
    return { running, ended, restarts };
  } finally {
    isOver = true;
    await servers;
  }
}

async function compare(
  context: CheckContext,
  found: { plan: PartnerPlan; late: LinkedUser; taskId: string; beforeLink: ReadonlyMap<string, number> },
): Promise<Finding[]> {
  const { plan, late, taskId, beforeLink } = found;
  const confirmed = confirmedIds(plan);
  const seen = await acceptedIds(context, plan.platform);
  const numberOf = (id: string): number => Number(id.slice(plan.prefix.length + 1));
  const all = Array.from({ length: plan.events }, (_, number) => `${plan.prefix}-${number}`);
  const isLate = (id: string): boolean => accountOf(plan, numberOf(id)) === late.platformUserId;
  const waited = all.filter((id) => !isLate(id) && !beforeLink.has(id));
  const expected = [...seen.keys()].filter((id) => !id.endsWith('-end') && !isLate(id)).length;
  const awards = await settledAwards(context, taskId, late.userId, expected);
  return [
    noneOf(
      'events that were handed over are not confirmed',
      all.filter((id) => !confirmed.has(id)),
    ),
    noneOf(
      `of ${confirmed.size} confirmed events are lost`,
      [...confirmed].filter((id) => !seen.has(id)),
    ),
    noneOf('events of linked users waited for the one who was not linked', waited),
    {
      holds: awards === expected,
      sentence: `${expected} events of linked users had ${awards} effects`,
    },
  ];
}

/** Awards of the task's linked users; waits until their number is expected, or does not grow for long. */
async function settledAwards(
  { stack }: CheckContext,
  taskId: string,
  lateUserId: string,
  expected: number,
): Promise<number> {
  const pool = new Pool({ connectionString: stack.infrastructure.addresses.database_url, max: 1 });
  try {
    let [last, sinceMs] = [-1, Date.now()];
    for (;;) {
      const { rows } = await pool.query<{ awards: number }>(
        'SELECT count(*)::int AS awards FROM engagement.awards WHERE task_id = $1 AND user_id <> $2 AND NOT reversed',
        [taskId, lateUserId],
      );
      const [{ awards }] = rows;
      if (awards !== last) [last, sinceMs] = [awards, Date.now()];
      // One too many would come within seconds of the last one.
      if (Date.now() - sinceMs > (awards === expected ? 5_000 : 60_000)) return awards;
      await sleep(500);
    }
  } finally {
    await pool.end();
  }
}

const contract = [
  {
    ...{ name: eventName, kind: 'repeatable' as const },
    attributes: [
      { name: 'amount', type: 'decimal' },
      { name: 'currency', type: 'currency' },
    ],
  },
];
