import { LinkData, UserEventData } from '@podium/messages';
import { queryable } from '@podium/runtime/postgres';
import { userEvent } from '@podium/testing/user-event';
import { randomUUID } from 'node:crypto';
import { restartSweeps } from '../src/definitions/restart-sweeps.store';
import { settleDue } from '../src/due/settle-due';
import { sweepDefinitions } from '../src/due/sweep-definitions';
import type { Condition } from '../src/evaluation/condition';
import type { EngineDefinition, TaskBody } from '../src/evaluation/definition';
import type { HistoryEvent, LinkPeriod } from '../src/evaluation/history';
import type { LinkRevision } from '../src/link-view/links.store';
import { definitionsUsing } from '../src/rates/used-pairs';
import type { AppliedTables } from './applied-tables';
import { Failpoints } from './failpoints';
import type { World } from './oracle';
import { wrongResults } from './world-comparison';

/** The user of every world. */
export const worldUserId = 'user-of-the-world';

const dayS = 86_400;

/** How a world reaches the tables. */
export interface Arrival {
  /** Per event: how much later than its receipt it is applied, seconds. */
  readonly delaysS: readonly number[];
  /** Sizes of batches, used in turn. */
  readonly batchSizes: readonly number[];
  /** Per step: whether tasks are paused while it is applied. */
  readonly paused: readonly boolean[];
  /** Per step: where the next transaction that writes there is aborted before it is tried again; null: nowhere. */
  readonly failsAt: readonly (string | null)[];
  /** The step before which the rates are approved that are not approved from the beginning; before anything is final. */
  readonly ratesAtStep: number;
}

/** A world with ids and accounts of its own, so that worlds share tables. */
export function ownWorld(made: World): World {
  const ids = new Map(made.definitions.map(({ definitionId }) => [definitionId, randomUUID()]));
  const suffix = randomUUID().slice(0, 8);
  const account = (name: string): string => `${name}-${suffix}`;
  return {
    ...made,
    definitions: made.definitions.map((definition) => withIds(definition, ids)),
    events: made.events.map((event) => ({ ...event, account: account(event.account) })),
    links: made.links.map((link) => ({ ...link, account: account(link.account) })),
  };
}

/** A world whose receipts lie so close together that no instant becomes final. */
export function neverFinal(made: World): World {
  const lastS = Math.min(...made.events.map(({ createdAt }) => createdAt)) + made.horizonS + 6 * dayS;
  return { ...made, events: made.events.map((each) => ({ ...each, receivedAt: Math.min(each.receivedAt, lastS) })) };
}

/**
 * Applies a world step by step with the clock of its arrivals, then lets all that is due until `nowS` happen; returns the table
 * at which each aborted transaction was aborted.
 */
export async function runWorld(tables: AppliedTables, made: World, arrival: Arrival, nowS: number): Promise<string[]> {
  await tables.clear();
  return continueWorld(tables, made, arrival, nowS);
}

/** As `runWorld`, in tables in which it may have been begun; `onStep` is told of each step before it is taken. */
export async function continueWorld(
  tables: AppliedTables,
  made: World,
  arrival: Arrival,
  nowS: number,
  onStep: (index: number) => void = () => undefined,
): Promise<string[]> {
  const armed = new Set<string>();
  const abortedAt: string[] = [];
  const failpoints = await Failpoints.of(tables.pool);
  const applied = (await tables.position()) ?? 0n;
  let offset = 0n;
  tables.clockMs = Math.min(...made.links.map(({ linkedAt }) => linkedAt)) * 1000;
  const lastOfRates = Math.min(...made.events.map(({ createdAt }) => createdAt)) + 30 * dayS;
  await approveRates(
    tables,
    made,
    made.rates.filter((_rate, index) => index % 2 === 0),
  );
  if (applied === 0n) {
    // Nobody is linked yet: from here on only links, events, due times, the end of a pause and rates evaluate a definition.
    tables.given.set(...made.definitions);
    await sweepAll(tables);
  }
  const steps = stepsUntil(made, arrival, nowS);
  for (const [index, step] of steps.entries()) {
    onStep(index);
    if (index >= arrival.ratesAtStep || step.atS > lastOfRates) await approveRates(tables, made, made.rates);
    const isPaused = arrival.paused[index % arrival.paused.length];
    tables.given.set(
      ...made.definitions.map((each) => (isPaused && each.kind === 'task' ? { ...each, paused: true } : each)),
    );
    tables.clockMs = Math.max(tables.clockMs, step.atS * 1000);
    const failsAt = arrival.failsAt[index % arrival.failsAt.length];
    if (failsAt !== null) armed.add(failsAt);
    const before = offset;
    offset += BigInt(step.events.length);
    if (offset > applied || step.links.length > 0) {
      const takeIt = (): Promise<void> => take(tables, step, before);
      for (let at: string | null; (at = await failpoints.during([...armed], takeIt)) !== null;) {
        armed.delete(at);
        abortedAt.push(at);
      }
    }
    if (index % 3 === 0) await settleAll(tables);
  }
  await approveRates(tables, made, made.rates);
  tables.given.set(...made.definitions.map((each) => ({ ...each, paused: false })));
  tables.clockMs = nowS * 1000;
  await sweepAll(tables);
  await settleAll(tables);
  return abortedAt;
}

/** How many steps a world has until `nowS`. */
export function countSteps(made: World, arrival: Arrival, nowS: number): number {
  return stepsUntil(made, arrival, nowS).length;
}

/** What is wrong in the tables at the end of a world, by a naive recomputation. */
export function wrongIn(tables: AppliedTables, made: World, nowS: number): Promise<string[]> {
  const user = { platform: 'acme', userId: worldUserId };
  const unpaused = made.definitions.map((each) => ({ ...each, paused: false }));
  const bounds = { surelyS: nowS, perhapsS: nowS, limit: 200 };
  return wrongResults(queryable(tables.pool), user, { ...made, definitions: unpaused }, bounds);
}

/** Stores all links of a world's user at once. */
export async function linkWorld(tables: AppliedTables, { links }: World, userId: string): Promise<void> {
  await tables.storeLinks(...linkSteps(links, userId).flatMap((step) => step.links));
}

interface Step {
  readonly atS: number;
  readonly events: readonly UserEventData[];
  readonly links: readonly LinkRevision[];
}

async function take(tables: AppliedTables, { events, links }: Step, offset: bigint): Promise<void> {
  if (links.length > 0) await tables.storeLinks(...links);
  if (events.length > 0) await tables.applyAfter(offset === 0n ? null : offset, events);
}

/** As the service does, lets the users of the definitions that use a pair be evaluated again; a process that is killed repeats it. */
async function approveRates(tables: AppliedTables, { definitions }: World, rates: World['rates']): Promise<void> {
  const pairs = rates.map(({ from, to }) => ({ organizerId: 'organizer-1', from, to }));
  const using = definitionsUsing(definitions, pairs);
  await restartSweeps(
    queryable(tables.pool),
    using.map(({ definitionId }) => definitionId),
  );
  await tables.approveRates(rates);
}

async function sweepAll(tables: AppliedTables): Promise<void> {
  while ((await sweepDefinitions(tables.parts, 100)) > 0);
}

async function settleAll(tables: AppliedTables): Promise<void> {
  for (let round = 0; (await settleDue(tables.parts, 100)).settled > 0; round++)
    if (round > 500) throw new Error('due times do not end');
}

/** An unlink may lie after the end: the clock of a world does not step back. */
function stepsUntil(made: World, { delaysS, batchSizes }: Arrival, nowS: number): Step[] {
  const arriving = made.events
    .map((event, index) => ({ event, atS: event.receivedAt + delaysS[index % delaysS.length] }))
    .sort((a, b) => a.atS - b.atS);
  const steps: Step[] = linkSteps(made.links);
  for (let at = 0, size = 0, turn = 0; at < arriving.length; at += size, turn++) {
    size = batchSizes[turn % batchSizes.length];
    const batch = arriving.slice(at, at + size);
    steps.push({ atS: batch[batch.length - 1].atS, events: batch.map(({ event }) => eventData(event)), links: [] });
  }
  return steps.sort((a, b) => a.atS - b.atS).filter(({ atS }) => atS <= nowS);
}

function linkSteps(links: readonly LinkPeriod[], userId = worldUserId): Step[] {
  return links.flatMap(({ linkedAt, unlinkedAt, account }, index): Step[] => {
    const data = (state: LinkData['state']): LinkData => ({
      ...{ link_id: `link-${index}`, integration_id: 'integration-1', platform: 'acme', organizer_id: 'organizer-1' },
      ...{ platform_user_id: account, user_id: userId, state, linked_at: linkedAt },
      ...(state === 'unlinked' ? { unlinked_at: unlinkedAt! } : {}),
    });
    const step = (atS: number, revision: number, state: LinkData['state']): Step => ({
      atS,
      events: [],
      links: [{ data: data(state), revision, atMs: atS * 1000 }],
    });
    const begun = step(linkedAt, 2 * index + 1, 'ready');
    return unlinkedAt === null ? [begun] : [begun, step(unlinkedAt, 2 * index + 2, 'unlinked')];
  });
}

/** An event of the world's user as it arrives. */
export function eventData(event: HistoryEvent, userId = worldUserId): UserEventData {
  const data = userEvent({
    ...{ id: event.id, name: event.name, createdAt: event.createdAt, attributes: { ...event.attributes } },
    ...{ userId, platformUserId: event.account, receivedAt: event.receivedAt * 1000 },
  });
  return { ...data, linked_at: event.linkedAt, contract_version: event.contractVersion };
}

function withIds(definition: EngineDefinition, ids: ReadonlyMap<string, string>): EngineDefinition {
  const idOf = (id: string): string => ids.get(id) ?? id;
  const definitionId = idOf(definition.definitionId);
  if (definition.kind === 'segment')
    return {
      ...definition,
      definitionId,
      versions: definition.versions.map((version) => ({
        ...version,
        body: { ...version.body, condition: conditionWithIds(version.body.condition, idOf) },
      })),
    };
  return {
    ...definition,
    definitionId,
    versions: definition.versions.map((version) => ({ ...version, body: taskWithIds(version.body, idOf) })),
  };
}

function taskWithIds(body: TaskBody, idOf: (id: string) => string): TaskBody {
  const goal = conditionWithIds(body.goal, idOf);
  return body.eligible === undefined ? { ...body, goal } : { ...body, goal, eligible: idOf(body.eligible) };
}

function conditionWithIds(condition: Condition, idOf: (id: string) => string): Condition {
  if ('all' in condition) return { all: condition.all.map((each) => conditionWithIds(each, idOf)) };
  if ('any' in condition) return { any: condition.any.map((each) => conditionWithIds(each, idOf)) };
  if ('not' in condition) return { not: conditionWithIds(condition.not, idOf) };
  return 'in_segment' in condition ? { in_segment: idOf(condition.in_segment) } : condition;
}
