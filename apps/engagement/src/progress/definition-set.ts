import { createHash } from 'node:crypto';
import { addToList } from '../evaluation/add-to-list';
import { CompiledCondition, Sequence } from '../evaluation/condition-node';
import { Condition } from '../evaluation/condition';
import { CompiledSegment, compileSegment } from '../evaluation/compiled-segment';
import { CompiledTask, compileTask } from '../evaluation/compiled-task';
import { EngineDefinition } from '../evaluation/definition';
import { HistoryEvent } from '../evaluation/history';
import { holdsForNewUsers } from '../evaluation/holds-without-events';
import { Rates, noRates } from '../evaluation/rates';
import { Term } from '../evaluation/terms';
import { ByEvent } from './by-event';
import { fallsWithTime, sensitivityOf } from './definition-sensitivity';
import { EventIndex, IndexedDefinition } from './event-index';

/** A definition that can be evaluated, with all on which it depends, also through other segments. */
export type LiveDefinition = {
  readonly definitionId: string;
  readonly platform: string;
  readonly organizerId: string;
  readonly paused: boolean;
  /** The newest version, which may not be in force yet. */
  readonly version: number;
  /** Names of all events that can change it. */
  readonly names: ReadonlySet<string>;
  /** Whether no version can hold for a user of whom there is no event of these names. */
  readonly needsEvents: boolean;
  /** Whether time alone lowers a value that it compares; an event that is not evaluated may let it fall later. */
  readonly fallsWithTime: boolean;
  /** Ids of all segments on which it depends. */
  readonly dependsOn: ReadonlySet<string>;
} & (CompiledSegment | CompiledTask);

/** A segment that is live, with all on which it depends. */
export type LiveSegment = Extract<LiveDefinition, { kind: 'segment' }>;

/** A task that is live, with all on which it depends. */
export type LiveTask = Extract<LiveDefinition, { kind: 'task' }>;

/** What is kept of a platform's events of one name. */
export interface KeptState {
  /** The same for the same terms and sequences. */
  readonly key: string;
  readonly terms: readonly Term[];
  readonly sequences: readonly Sequence[];
  /** Terms of which the buckets of all events are kept too, merged. */
  readonly running: readonly Term[];
  /**
   * Definitions that are left out may need more: events are only kept singly, and nothing that is kept is merged, or removed but
   * the running buckets, which are computed again.
   */
  readonly isPartial: boolean;
}

/** The definitions in force, with lookups. */
export interface DefinitionSet {
  /** During a rebuild events are only gathered: nothing is evaluated until it has finished. */
  readonly isRebuilding: boolean;
  readonly byId: ReadonlyMap<string, LiveDefinition>;
  /** Definitions that name an event of the platform, and which of them an event changes. */
  forEvent(platform: string, name: string): EventIndex<LiveDefinition>;
  ofPlatform(platform: string): readonly LiveDefinition[];
  keptState(platform: string, name: string): KeptState;
  /** Whether published definitions of the platform are left out: their state is kept. */
  isPartial(platform: string): boolean;
  /** Whether a definition leaves out an amount of an event, because no rate of an earlier day is approved. */
  leavesOut(platform: string, event: HistoryEvent): boolean;
}

const nothingKept = { key: '', terms: [], sequences: [], running: [] } as const;

/** Compiles definitions and indexes them for lookup; `rates` are those of organizers, `partial` the platforms of which some are left out. */
export function definitionSet(
  all: readonly EngineDefinition[],
  isRebuilding = false,
  rates: ReadonlyMap<string, Rates> = new Map(),
  partial: ReadonlySet<string> = new Set(),
): DefinitionSet {
  const segments = new Map<string, CompiledSegment>();
  // A task takes its eligible segment as it is compiled.
  const inOrder = [...all].sort((a, b) => Number(a.kind === 'task') - Number(b.kind === 'task'));
  const compiled = inOrder.map((definition): CompiledSegment | CompiledTask => {
    const ofOrganizer = rates.get(definition.organizerId) ?? noRates;
    if (definition.kind === 'task') return compileTask(definition, segments, ofOrganizer);
    const segment = compileSegment(definition, segments, ofOrganizer);
    segments.set(definition.definitionId, segment);
    return segment;
  });
  const indexed = compiled.map((each): IndexedDefinition<LiveDefinition> => {
    const { definitionId, platform, organizerId, paused, versions } = each.definition;
    const { version } = versions[versions.length - 1];
    const needsEvents = !conditionBodiesOf(each).some(holdsForNewUsers);
    const sensitivity = sensitivityOf(each);
    const definition: LiveDefinition = {
      ...each,
      ...{ definitionId, platform, organizerId, paused, version, needsEvents },
      fallsWithTime: fallsWithTime(sensitivity),
      ...namesAndDependencies(each),
    };
    return { definition, sensitivity };
  });
  const byEvent = new ByEvent<IndexedDefinition<LiveDefinition>[]>();
  const byPlatform = new Map<string, LiveDefinition[]>();
  for (const each of indexed) {
    const { definition } = each;
    for (const name of definition.names) byEvent.getOrAdd(definition.platform, name, () => []).push(each);
    addToList(byPlatform, definition.platform, definition);
  }
  const indexes = byEvent.map((ofName, _platform, name) => new EventIndex(name, ofName));
  const kept = keptStates(compiled, indexes, partial);
  const converting = kept.map(({ terms }) => terms.filter(({ isLeftOut }) => isLeftOut));
  return {
    isRebuilding,
    byId: new Map(indexed.map(({ definition }) => [definition.definitionId, definition])),
    forEvent: (platform, name) => indexes.get(platform, name) ?? noDefinitions,
    ofPlatform: (platform) => byPlatform.get(platform) ?? [],
    keptState: (platform, name) => kept.get(platform, name) ?? { ...nothingKept, isPartial: partial.has(platform) },
    isPartial: (platform) => partial.has(platform),
    leavesOut: (platform, event) =>
      (converting.get(platform, event.name) ?? []).some(
        (term) => term.valueOf(event) !== null && term.isLeftOut?.(event),
      ),
  };
}

const noDefinitions = new EventIndex<LiveDefinition>('', []);

function keptStates(
  all: readonly (CompiledSegment | CompiledTask)[],
  indexes: ByEvent<EventIndex<LiveDefinition>>,
  partial: ReadonlySet<string>,
): ByEvent<KeptState> {
  const found = new ByEvent<{ terms: Map<string, Term>; sequences: Map<string, Sequence> }>();
  const of = (platform: string, name: string) =>
    found.getOrAdd(platform, name, () => ({ terms: new Map(), sequences: new Map() }));
  for (const each of all) {
    const { platform } = each.definition;
    for (const term of termsOf(each)) of(platform, term.event).terms.set(term.id, term);
    for (const sequence of conditionsOf(each).flatMap((condition) => condition.sequences))
      for (const name of sequence.names) of(platform, name).sequences.set(sequence.key, sequence);
  }
  return found.map(({ terms, sequences }, platform, name) => ({
    key: digestOf([...terms.keys(), ...sequences.keys()].sort()),
    terms: [...terms.values()],
    sequences: [...sequences.values()],
    running: indexes.get(platform, name)?.terms ?? [],
    isPartial: partial.has(platform),
  }));
}

function digestOf(ids: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(ids)).digest('base64url').slice(0, 6);
}

function conditionsOf(each: CompiledSegment | CompiledTask): readonly CompiledCondition[] {
  return each.kind === 'segment' ? each.conditions : each.versions.map(({ goal }) => goal);
}

function conditionBodiesOf({ definition }: CompiledSegment | CompiledTask): Condition[] {
  if (definition.kind === 'segment') return definition.versions.map(({ body }) => body.condition);
  return definition.versions.map(({ body }) => body.goal);
}

function termsOf(each: CompiledSegment | CompiledTask): Term[] {
  const own = each.kind === 'task' ? each.versions.flatMap(({ terms }) => terms) : [];
  return [...own, ...conditionsOf(each).flatMap(({ terms }) => terms)];
}

function namesAndDependencies(each: CompiledSegment | CompiledTask): Pick<LiveDefinition, 'names' | 'dependsOn'> {
  const names = new Set(namesOf(each));
  const dependsOn = new Set<string>();
  const lists =
    each.kind === 'segment' ? [each.dependencies()] : each.versions.map((version) => version.dependencies());
  for (const dependencies of new Set(lists))
    for (const { segmentId, segment } of dependencies) {
      dependsOn.add(segmentId);
      for (const name of segment.ownNames) names.add(name);
    }
  return { names, dependsOn };
}

function namesOf(each: CompiledSegment | CompiledTask): Iterable<string> {
  if (each.kind === 'segment') return each.ownNames;
  return each.versions.flatMap(({ goal, terms }) => [...goal.names, ...terms.map(({ event }) => event)]);
}
