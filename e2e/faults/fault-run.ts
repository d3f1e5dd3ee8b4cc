import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { StackFailure } from '../../tools/stack/failure';
import { AppName } from '../../tools/stack/services';
import { WholeStack } from '../../tools/stack/whole-stack';
import { ContractedEvent, PartnerUnderTest, countingTask } from '../support/partner-under-test';
import { SeededRandom } from '../support/seeded-random';
import { waitForDrain } from './drain';
import { EventPost } from './event-post';
import { Struck, runFaultLane } from './fault-lane';
import { Fault, serverFaults, serviceFaults, startAgain } from './faults';
import { SendHistory } from './history';
import { LinkChange, LinkChanges } from './link-changes';
import { readOutcome } from './outcome';
import { EventSender } from './sender';
import { CountedTask, Violation, findViolations } from './violations';

/** Two of each service that faults hit. */
export const faultInstances: Partial<Record<AppName, number>> = { gateway: 2, ingestion: 2, engagement: 2, linkage: 2 };

/** How a run is to be. */
export interface FaultRunOptions {
  readonly seed: number;
  /** How long faults go on; each happens once in any case. */
  readonly forMs: number;
  /** Told of every fault and step. */
  readonly say: (line: string) => void;
}

/** What a run showed. */
export interface FaultReport {
  readonly violations: readonly Violation[];
  readonly struck: readonly Struck[];
  readonly linkChanges: readonly LinkChange[];
  /** Time from the end of faults and load until nothing was left to do, ms. */
  readonly drainMs: number;
  readonly summary: string;
}

const contract: ContractedEvent[] = [
  { name: 'deposit', kind: 'repeatable', attributes: [{ name: 'amount', type: 'decimal' }] },
  { name: 'bet', kind: 'repeatable', attributes: [] },
  { name: 'badge', kind: 'one_off', attributes: [] },
];
const platformCount = 4;
const usersPerPlatform = 3;
const newEventsPerS = 25;
const finishTimeoutMs = 90_000;
const drainTimeoutMs = 90_000;

/** Services of a stack that ended without being killed: collected, and started again. */
export class Crashes {
  readonly seen: string[] = [];
  private stack: WholeStack | undefined;

  constructor(private readonly say: (line: string) => void) {}

  /** To be given to the stack as `onCrash`. */
  readonly note = (failure: StackFailure): void => {
    const handle = this.stack?.services.all.find(({ name }) => failure.message.startsWith(`${name} `));
    const last =
      handle &&
      readFileSync(handle.logPath, 'utf8')
        .split('\n')
        .findLast((line) => line.includes('"level":"fatal"'));
    this.seen.push(`${failure.message.split(';')[0]}: ${last ?? failure.details ?? ''}`);
    this.say(this.seen[this.seen.length - 1]);
    if (handle) startAgain(handle).catch((error: Error) => this.seen.push(error.message));
  };

  watch(stack: WholeStack): void {
    this.stack = stack;
  }
}

/** Sends events through both gateways while faults strike, lets everything come to rest, and compares. */
export async function runFaults(stack: WholeStack, crashes: Crashes, options: FaultRunOptions): Promise<FaultReport> {
  const { seed, forMs, say } = options;
  const random = new SeededRandom(seed);
  crashes.watch(stack);
  const { partners, tasks } = await setUpPartners(stack);
  say(`${platformCount} partners with ${usersPerPlatform} users each are set up`);

  const history = new SendHistory();
  const post = new EventPost(
    stack.services.of('gateway').map(({ url }) => url),
    history,
    random.fork(),
  );
  const [moving, ...staying] = partners[0].users;
  const linkChanges = new LinkChanges(partners[0], moving, post, history, say);
  const senders = partners.map((partner, at) => {
    const users = at === 0 ? staying : partner.users;
    return new EventSender({ partner, users, post, history, random: random.fork(), ratePerS: newEventsPerS });
  });
  try {
    const startedMs = Date.now();
    for (const sender of senders) sender.start();
    linkChanges.start();
    const progress = setInterval(() => say(history.describe()), 15_000);
    const struck = await strike(stack, random, { untilMs: startedMs + forMs, say });
    clearInterval(progress);
    const faultsEndedMs = Date.now();
    say('faults are over');
    for (const { gateway, sentAtMs } of history.unanswered)
      say(
        `gateway-${gateway} did not answer what was sent ${seconds(sentAtMs - startedMs)} after the start of the load`,
      );

    await linkChanges.finish();
    await sleep(1_000);
    const unanswered = (await Promise.all(senders.map((sender) => sender.finish(finishTimeoutMs)))).flat();
    const loadEndedMs = Date.now();
    const rest = await waitForDrain(stack.infrastructure.addresses, drainTimeoutMs).then(
      (drainMs) => ({ drainMs, undrained: [] as string[] }),
      (error: Error) => ({ drainMs: Date.now() - loadEndedMs, undrained: [error.message] }),
    );
    say(`load ended ${seconds(loadEndedMs - faultsEndedMs)} after the faults, drained ${seconds(rest.drainMs)} later`);

    const outcome = await readOutcome(stack.infrastructure.addresses);
    const found = findViolations({ history, outcome, tasks, linkChanges });
    const violations = [
      ...found,
      ...(unanswered.length ? [{ invariant: 'V10', sentence: 'never answered 200', ids: unanswered }] : []),
      ...(rest.undrained.length ? [{ invariant: 'V10', sentence: 'not drained', ids: rest.undrained }] : []),
      ...(crashes.seen.length ? [{ invariant: 'V10', sentence: 'a service ended by itself', ids: crashes.seen }] : []),
    ];
    const distinct = new Set(outcome.records.map(({ recordId }) => recordId)).size;
    const summary = [
      `seed ${seed}; ${struck.length} faults; ${seconds(loadEndedMs - startedMs)} of load`,
      history.describe(),
      `topic: ${outcome.records.length} records of ${distinct} events; inbox ${outcome.inbox.size}; stored ${outcome.stored.length}`,
      `awards: ${outcome.awards.length} in the ledger, ${outcome.publishedAwards.length} records of ${new Set(outcome.publishedAwards).size} in the topic`,
      `unlinked and relinked ${linkChanges.changes.length} times; drained ${seconds(rest.drainMs)} after the load; ${crashes.seen.length} services ended by themselves`,
    ].join('\n');
    return {
      violations,
      struck,
      linkChanges: linkChanges.changes,
      drainMs: rest.drainMs,

      summary,
    };
  } finally {
    await post.close();
  }
}

/** A violation as one line, with at most 20 ids. */
export function describeViolation({ invariant, sentence, ids }: Violation): string {
  const more = ids.length > 20 ? ` and ${ids.length - 20} more` : '';
  return `${invariant}: ${sentence} (${ids.length}): ${ids.slice(0, 20).join(', ')}${more}`;
}

async function strike(
  stack: WholeStack,
  random: SeededRandom,
  options: { untilMs: number; say: (line: string) => void },
): Promise<Struck[]> {
  let isStopped = false;
  const faultsOf = (...apps: AppName[]): Fault[] => apps.flatMap((app) => serviceFaults(stack, app));
  // An app's faults share a lane, so that one of its two instances is always there.
  const lanes = [faultsOf('gateway', 'ingestion'), faultsOf('linkage', 'engagement'), serverFaults(stack)].map(
    (faults) => runFaultLane(faults, { ...options, random: random.fork(), isStopped: () => isStopped }),
  );
  try {
    return (await Promise.all(lanes)).flat();
  } finally {
    // A lane that failed must not leave the other one striking a stack that is being stopped.
    isStopped = true;
    await Promise.allSettled(lanes);
  }
}

async function setUpPartners(stack: WholeStack): Promise<{ partners: PartnerUnderTest[]; tasks: CountedTask[] }> {
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
      });
  return { partners, tasks };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
