import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { ContractEvent } from '@podium/messages';
import { compareAwards } from '../src/awards/compare-awards';
import { decideAwards } from '../src/awards/decide-awards';
import { statedBudget } from '../src/budgets/stated-budget';
import { storedAttributeTypes } from '../src/definitions/attribute-specs';
import { Catalogue, PlatformCatalogue } from '../src/definitions/catalogue';
import { CheckedBody, GivenSegment, checkSegment } from '../src/definitions/check-segment';
import { GivenTask, checkTask } from '../src/definitions/check-task';
import { engineDefinition } from '../src/definitions/engine-definition';
import { isSameGeneration } from '../src/definitions/generation';
import { EngineDefinition, SegmentBody, TaskBody, horizonS } from '../src/evaluation/definition';
import { evaluateSegment } from '../src/evaluation/evaluate-segment';
import { evaluateTask } from '../src/evaluation/evaluate-task';
import { HistoryEvent, LinkPeriod } from '../src/evaluation/history';
import { priceAwards } from '../src/trials/price-awards';
import type { PricedAwards } from '../src/trials/trial-results.store';
import { tryTask } from '../src/trials/try-task';
import { expanded, setOf, viewOf } from './evaluated-world';
import type { World } from './oracle';
import { taskOnDates } from './task-on-dates';

/** An example of docs/engine.md. Times are ISO 8601; what is left out has the defaults that the page states. */
export interface DocumentedExample {
  readonly example: string;
  readonly task?: GivenTask;
  /** A task with several versions. */
  readonly versions?: readonly {
    readonly in_force_from: string;
    readonly recount?: boolean;
    readonly task: GivenTask;
  }[];
  readonly segment?: GivenSegment;
  /** Segments to which the task or segment refers, by id, those that others refer to first. */
  readonly segments?: Readonly<Record<string, GivenSegment>>;
  readonly paused?: boolean;
  /** Approved rates. */
  readonly rates?: World['rates'];
  readonly links?: readonly { readonly linked_at: string; readonly unlinked_at?: string; readonly account: string }[];
  readonly events?: readonly DocumentedEvent[];
  readonly now?: string;
  /** The dates of a dry run of the task. */
  readonly dry_run?: { readonly from: string; readonly to: string };
  readonly result: DocumentedResult;
}

interface DocumentedEvent {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly received_at?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** What the page states; parts that an example is not about are left out. */
export interface DocumentedResult {
  readonly owed?: readonly { readonly occurrence: string; readonly [part: string]: unknown }[];
  /** Occurrences. */
  readonly issued?: readonly string[];
  /** Status by occurrences. */
  readonly not_issued?: Readonly<Record<string, string>>;
  /** Of a dry run with this user alone. */
  readonly forecast?: Pick<PricedAwards, 'days' | 'budgetEndedOn'>;
  /** By instant. */
  readonly member?: Readonly<Record<string, boolean>>;
  /** The sentence with which the definition is refused. */
  readonly refused?: string;
}

const page = path.resolve(__dirname, '../../../docs/engine.md');
const platform = 'acme';
const taskId = '00000000-0000-4000-8000-00000000000a';
const segmentId = '00000000-0000-4000-8000-00000000000b';
const defaultInForceFrom = '2026-11-01T00:00:00Z';
const defaultLinks = [{ linked_at: '2026-10-01T00:00:00Z', account: 'account-1' }];
const defaultNow = '2027-01-01T00:00:00Z';

/** The text of docs/engine.md. */
export function readPage(): string {
  return readFileSync(page, 'utf8');
}

/** The catalogue and the examples of the page: every JSON block is one or the other. */
export function documentedExamples(text: string): {
  readonly catalogue: PlatformCatalogue;
  readonly examples: readonly DocumentedExample[];
} {
  const blocks = [...text.matchAll(/^```json\n([^]*?)^```/gm)].map(([, json]) => JSON.parse(json) as object);
  const contract = blocks.find((block) => 'events' in block && !('example' in block)) as { events: ContractEvent[] };
  const catalogue = new Catalogue();
  const contracts = [{ version: 1, in_force_from: 0, events: contract.events }];
  const integration = { platform, organizer_id: 'organizer-1', contracts };
  catalogue.apply(platform, { data: integration } as never);
  return {
    catalogue: catalogue.of(platform),
    examples: blocks.filter((block): block is DocumentedExample => block !== contract),
  };
}

/** What the engine makes of an example, with the same parts as its stated result; throws when the definition is refused. */
export function runExample(given: DocumentedExample, catalogue: PlatformCatalogue): DocumentedResult {
  const definitions = definitionsOf(given, catalogue);
  const links = (given.links ?? defaultLinks).map(({ linked_at, account, ...rest }): LinkPeriod => ({
    linkedAt: secondsOf(linked_at),
    unlinkedAt: 'unlinked_at' in rest && rest.unlinked_at !== undefined ? secondsOf(rest.unlinked_at) : null,
    account,
  }));
  const events = (given.events ?? []).map((event) => historyEvent(event, links));
  const world: World = { definitions, events, links, rates: given.rates ?? [], horizonS };
  const { owed, issued, not_issued, member } = given.result;
  if (given.dry_run !== undefined)
    return { forecast: forecast(world, given.dry_run, secondsOf(given.now ?? defaultNow)) };
  return {
    ...(owed === undefined ? {} : { owed: owedOf(world, secondsOf(given.now ?? defaultNow)) }),
    ...(issued === undefined && not_issued === undefined ? {} : decided(world, secondsOf(given.now ?? defaultNow))),
    ...(member === undefined ? {} : { member: membership(world, Object.keys(member)) }),
  };
}

function definitionsOf(given: DocumentedExample, catalogue: PlatformCatalogue): EngineDefinition[] {
  const { task, segment, segments = {}, versions, paused = false } = given;
  const found = Object.entries({ ...segments, ...(segment ? { [segmentId]: segment } : {}) }).map(([id, written]) =>
    published(id, 'segment', [{ atS: secondsOf(defaultInForceFrom), ...checkSegment(written, catalogue) }], paused),
  );
  const written = versions ?? (task ? [{ in_force_from: defaultInForceFrom, task }] : []);
  const checked = written.map(({ in_force_from, recount, task: each }) => ({
    ...{ atS: secondsOf(in_force_from), recount, ...checkTask(each, catalogue) },
  }));
  return checked.length === 0 ? found : [...found, published(taskId, 'task', checked, paused)];
}

/** As the definitions table has it: canonical, with its generation. */
function published(
  definitionId: string,
  kind: 'segment' | 'task',
  checked: readonly ({ readonly atS: number; readonly recount?: boolean } & CheckedBody<SegmentBody | TaskBody>)[],
  paused: boolean,
): EngineDefinition {
  let generation = 1;
  return engineDefinition(
    checked.map(({ atS, body, specs, recount = false }, i) => {
      if (i > 0 && !isSameGeneration(checked[i - 1].body, body)) generation++;
      return {
        ...{ definitionId, kind, platform, body, generation, organizerId: 'organizer-1', version: i + 1 },
        ...{ inForceFrom: atS, countsFrom: null, publishedAt: null, endedAt: null, endedWhilePaused: false },
        ...{ recount, maxPerDay: null },
        attributeTypes: storedAttributeTypes(specs),
        state: i < checked.length - 1 ? 'replaced' : paused ? 'paused' : 'published',
      };
    }),
  );
}

/** Of the link begun last before its receipt. */
function historyEvent(event: DocumentedEvent, links: readonly LinkPeriod[]): HistoryEvent {
  const { id, name, created_at, received_at = created_at, attributes = {} } = event;
  const receivedAt = secondsOf(received_at);
  const { linkedAt, account } = links.findLast((link) => link.linkedAt <= receivedAt) ?? links[0];
  return { id, name, createdAt: secondsOf(created_at), receivedAt, linkedAt, account, contractVersion: 1, attributes };
}

function owedOf(world: World, nowS: number): { occurrence: string }[] {
  return evaluated(world, nowS).owed.flatMap((each) =>
    expanded(each, 200).map(({ occurrence, reachedAt, decidedById, account, version, reward }) => ({
      ...{ occurrence, reached_at: isoOf(reachedAt), event: decidedById, account, version, reward },
    })),
  );
}

/** What a dry run finds of one user, as `dry-run-step.ts` evaluates it. */
function forecast(world: World, dates: { from: string; to: string }, nowS: number): DocumentedResult['forecast'] {
  const definitions = world.definitions.map((each) =>
    each.kind === 'task' ? taskOnDates(each, secondsOf(dates.from), secondsOf(dates.to)) : each,
  );
  const { task, owed } = evaluated({ ...world, definitions }, nowS);
  const user = { userRef: 1, platform, userId: 'user-1' };
  const { awards } = tryTask({ user, task, owed, finalTo: 0, links: world.links }, { has: () => false }, nowS);
  const amounts = awards.map(({ reward, ...place }) => ({ ...place, amount: reward.amount }));
  const { days, budgetEndedOn } = priceAwards(amounts, statedBudget(task), { total: '0', days: new Map() });
  return { days, budgetEndedOn };
}

/** For a user without awards, whose account was paid to nobody else. */
function decided(world: World, nowS: number): Pick<DocumentedResult, 'issued' | 'not_issued'> {
  const { task, owed } = evaluated(world, nowS);
  const user = { userRef: 1, platform, userId: 'user-1' };
  const finding = { user, task, owed, finalTo: 0, links: world.links };
  const comparison = compareAwards(finding, { awards: [], unissued: [], standings: new Map() }, nowS);
  const { issue, unissued } = decideAwards(finding, comparison, { has: () => false });
  const nameOf = ({ series, first, last }: (typeof unissued)[number]['range']): string =>
    !series.endsWith(':every') ? series : first === last ? `${series}:${first}` : `${series}:${first} to ${last}`;
  return {
    issued: issue.map(({ occurrence }) => occurrence),
    not_issued: Object.fromEntries(unissued.map(({ range, status }) => [nameOf(range), status])),
  };
}

function evaluated(world: World, nowS: number) {
  const task = setOf(world).byId.get(taskId);
  if (task?.kind !== 'task') throw new Error('the example has no task');
  const { owed } = evaluateTask(task, viewOf(world, world.events), task.names, { fromS: 0, nowS });
  return { task: task.definition, owed };
}

function membership(world: World, instants: readonly string[]): Record<string, boolean> {
  const segment = setOf(world).byId.get(segmentId);
  if (segment?.kind !== 'segment') throw new Error('the example has no segment');
  const view = viewOf(world, world.events);
  return Object.fromEntries(
    instants.map((at) => [at, evaluateSegment(segment, view, segment.names, secondsOf(at)).member]),
  );
}

function secondsOf(iso: string): number {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) throw new Error(`${iso} is not a time`);
  return ms / 1000;
}

function isoOf(atS: number): string {
  return new Date(atS * 1000).toISOString().replace('.000Z', 'Z');
}
