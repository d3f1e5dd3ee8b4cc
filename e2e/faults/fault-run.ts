import { setTimeout as sleep } from 'node:timers/promises';
import {
  ContractedEvent,
  PartnerUnderTest,
  StackWithServices,
  countedDays,
  countingTask,
  startOfUtcDay,
} from '../support/partner-under-test';
import { SeededRandom } from '@podium/testing/seeded-random';
import { waitForDrain } from './wait-for-drain';
import { EventPost } from './event-post';
import { FaultContext } from './fault-context';
import { runFaultLane } from './fault-lane';
import { runFaultRounds } from './fault-rounds';
import { SendHistory } from './send-history';
import { judgedEvent, setUpJudged } from './judged/judged-partner';
import { misjudged } from './judged/judge';
import { Pauses } from './judged/pauses';
import { FaultKind, FaultTarget } from './kinds/fault-kind';
import { LinkChange, LinkChanges } from './link-changes';
import { possibleKinds } from './possible-kinds';
import { readOutcome } from './run-outcome';
import { judgedEventsPerS, newEventsPerS, sizeOf } from './run-size';
import { RecoveryProbe } from './recovery-probe';
import { EventSender } from './sender';
import { FaultRecord } from './fault-record';
import { Violation } from './violation';
import { CountedTask, findViolations } from './find-violations';

/** Options of a run. */
export interface FaultRunOptions {
  readonly seed: number;
  readonly kinds: readonly FaultKind[];
  /**
   * `lanes`: three concurrent lanes, each kind once, without measurement. `rounds`: each kind alone, then random kinds until
   * the time is over, with the time to recovery.
   */
  readonly mode: 'lanes' | { readonly rounds: { readonly forMs: number; readonly pairs: boolean } };
  /** Called for every fault and step. */
  readonly say: (line: string) => void;
}

/** The result of a run. */
export interface FaultReport {
  readonly violations: readonly Violation[];
  readonly struck: readonly FaultRecord[];
  readonly linkChanges: readonly LinkChange[];
  readonly history: SendHistory;
  /** Time in ms from the end of faults and load until all work was done. */
  readonly drainMs: number;
  readonly summary: string;
}

const contract: ContractedEvent[] = [
  { name: 'deposit', kind: 'repeatable', attributes: [{ name: 'amount', type: 'decimal' }] },
  { name: 'bet', kind: 'repeatable', attributes: [] },
  { name: 'badge', kind: 'one_off', attributes: [] },
];
const platformCount = 4;
const finishTimeoutMs = 90_000;
/** What is left takes as long as the machine needs, and a part of it that does not move for so long is stuck. */
const drainStillMs = 90_000;
/** The run in lanes has the time limit of a test. */
const mostDrainMs = { lanes: 150_000, rounds: 3_600_000 };

/** Sends events through both gateways during faults, waits until all work is done, and checks the invariants. */
export async function runFaults(context: FaultContext, options: FaultRunOptions): Promise<FaultReport> {
  const { seed, say } = options;
  const { stack, crashes, servers } = context;
  const kinds = possibleKinds(options.kinds, context, say);
  const random = new SeededRandom(seed);
  const size = sizeOf(kinds.length, options.mode === 'lanes' ? undefined : options.mode.rounds);
  const { partners, tasks } = await setUpPartners(stack, size.users);
  const judged = await setUpJudged(stack, size.judged);
  say(`${platformCount} partners with ${size.users} users each are set up, and ${judged.taskIds.length} judged tasks`);

  const history = new SendHistory();
  const gateways = stack.services.of('gateway').map(({ url }) => url);
  const post = new EventPost(gateways, history, random.fork());
  const moving = partners[0].users.slice(0, size.moving);
  const staying = partners[0].users.slice(size.moving);
  const linkChanges = new LinkChanges(partners[0], moving, post, history, say);
  const senders = partners.map((partner, at) => {
    const users = at === 0 ? staying : partner.users;
    return new EventSender({ partner, users, post, history, random: random.fork(), ratePerS: newEventsPerS });
  });
  const judging = random.fork();
  senders.push(
    new EventSender({
      ...{ partner: judged.partner, users: judged.partner.users, post, history, random: random.fork() },
      ...{ ratePerS: judgedEventsPerS, newEvent: () => judgedEvent(judging) },
    }),
  );
  const pauses = new Pauses(judged, random.fork());
  try {
    const probe =
      options.mode === 'lanes'
        ? undefined
        : await RecoveryProbe.setUp(stack, {
            ...{ post, history },
            databaseUrl: () => servers.postgres.url,
            brokers: () => servers.kafka.addresses,
          });
    if (probe) tasks.push(probe.task);
    const startedMs = Date.now();
    for (const sender of senders) sender.start();
    linkChanges.start();
    pauses.start();
    const progress = setInterval(() => say(history.describe()), 15_000);
    const struck = await strikeAll(context, random, startedMs, { ...options, kinds }, probe).finally(() =>
      clearInterval(progress),
    );
    const faultsEndedMs = Date.now();
    say('all faults have ended');
    for (const line of history.describeUnanswered(startedMs)) say(line);

    const linkProblems = await linkChanges.finish().then(
      () => [],
      (error: Error) => [error.message],
    );
    const pauseProblems = await pauses.finish().then(
      () => [],
      (error: Error) => [error.message],
    );
    await sleep(1_000);
    const unanswered = (await Promise.all(senders.map((sender) => sender.finish(finishTimeoutMs)))).flat();
    const loadEndedMs = Date.now();
    const addresses = { ...stack.infrastructure.addresses, database_url: servers.postgres.url };
    const mostMs = mostDrainMs[options.mode === 'lanes' ? 'lanes' : 'rounds'];
    const rest = await waitForDrain(addresses, mostMs, drainStillMs).then(
      (drainMs) => ({ drainMs, undrained: [] as string[] }),
      (error: Error) => ({ drainMs: Date.now() - loadEndedMs, undrained: [error.message] }),
    );
    say(`load ended ${seconds(loadEndedMs - faultsEndedMs)} after the faults, drained ${seconds(rest.drainMs)} later`);

    const outcome = await readOutcome(addresses);
    const problems = struck.flatMap(({ name, problem }) => (problem ? [`${name}: ${problem}`] : []));
    const violations = [
      ...findViolations({
        ...{ history, outcome, tasks, linkChanges },
        expectedDeadLetters: context.foreignWriters.deadLetters,
        skews: context.clocks.skews,
      }),
      ...(await context.foreignWriters.findViolations(outcome.deadLetters)),
      ...(await misjudged(addresses)),
      ...incomplete('never answered 200', unanswered),
      ...incomplete('not drained', rest.undrained),
      ...incomplete('no automatic recovery', problems),
      ...incomplete('a link did not change in time', linkProblems),
      ...incomplete('a task was not paused or resumed in time', pauseProblems),
      ...incomplete('a service crashed', crashes.seen),
    ];
    const distinct = new Set(outcome.records.map(({ recordId }) => recordId)).size;
    const summary = [
      `seed ${seed}; ${struck.filter(({ isMissed }) => !isMissed).length} faults; ${seconds(loadEndedMs - startedMs)} of load`,
      history.describe(),
      `topic: ${outcome.records.length} records of ${distinct} events; inbox ${outcome.inbox.size}; stored ${outcome.stored.length}`,
      `awards: ${outcome.awards.length} in the ledger, ${outcome.publishedAwards.length} records of ${new Set(outcome.publishedAwards).size} in the topic`,
      `${judged.taskIds.length} judged tasks, paused and resumed ${pauses.count} times`,
      `unlinked and relinked ${linkChanges.changes.length} times; drained ${seconds(rest.drainMs)} after the load; ${crashes.seen.length} services crashed`,
    ].join('\n');
    return { violations, struck, linkChanges: linkChanges.changes, history, drainMs: rest.drainMs, summary };
  } finally {
    await post.close();
  }
}

/** A violation as one line, with at most 20 ids. */
export function describeViolation({ invariant, sentence, ids }: Violation): string {
  const more = ids.length > 20 ? ` and ${ids.length - 20} more` : '';
  return `${invariant}: ${sentence} (${ids.length}): ${ids.slice(0, 20).join(', ')}${more}`;
}

function incomplete(sentence: string, ids: readonly string[]): Violation[] {
  return ids.length > 0 ? [{ invariant: 'V10', sentence, ids }] : [];
}

async function strikeAll(
  context: FaultContext,
  random: SeededRandom,
  startedMs: number,
  { kinds, mode, say }: FaultRunOptions,
  probe: RecoveryProbe | undefined,
): Promise<FaultRecord[]> {
  if (mode !== 'lanes' && probe) {
    const { forMs, pairs } = mode.rounds;
    return runFaultRounds(kinds, context, probe, { random, untilMs: startedMs + forMs, pairs, say });
  }
  return runLanes(kinds, context, random, say);
}

/** An app's faults share a lane, so that one of its two instances always runs. */
const lanesOfTargets: readonly (readonly FaultTarget[])[] = [
  ['gateway', 'ingestion'],
  ['linkage', 'engagement'],
  ['Redis', 'Postgres', 'Kafka'],
];

async function runLanes(
  kinds: readonly FaultKind[],
  context: FaultContext,
  random: SeededRandom,
  say: (line: string) => void,
): Promise<FaultRecord[]> {
  let isStopped = false;
  const lanes = lanesOfTargets.map((targets) => {
    const own = kinds.filter(({ target }) => targets.includes(target));
    return runFaultLane(own, context, { random: random.fork(), say, isStopped: () => isStopped });
  });
  try {
    return (await Promise.all(lanes)).flat();
  } finally {
    // When one lane fails, the others must stop before the stack is stopped.
    isStopped = true;
    await Promise.allSettled(lanes);
  }
}

async function setUpPartners(
  stack: StackWithServices,
  usersPerPlatform: number,
): Promise<{ partners: PartnerUnderTest[]; tasks: CountedTask[] }> {
  const platforms = Array.from({ length: platformCount }, (_, at) => `faulty-${at + 1}`);
  const partners = await Promise.all(
    platforms.map((platform) => PartnerUnderTest.setUp(stack, { platform, contract, users: usersPerPlatform })),
  );
  const tasks: CountedTask[] = [];
  for (const partner of partners)
    for (const [event, every] of [
      ['deposit', 1],
      ['bet', 10],
    ] as const)
      tasks.push({
        taskId: await partner.addTask(countingTask(event, every)),
        platform: partner.platform,
        event,
        every,
        startsAtS: Date.parse(startOfUtcDay(countedDays)) / 1000,
      });
  return { partners, tasks };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
