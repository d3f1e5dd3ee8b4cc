import { CompiledCondition, Sequence } from '../evaluation/condition-node';
import { CompiledSegment, compileSegment } from '../evaluation/compiled-segment';
import { CompiledTask, compileTask } from '../evaluation/compiled-task';
import { EngineDefinition } from '../evaluation/definition';
import { Term } from '../evaluation/terms';

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
  /** Ids of all segments on which it depends. */
  readonly dependsOn: ReadonlySet<string>;
} & (CompiledSegment | CompiledTask);

/** What is kept of a platform's events of one name. */
export interface KeptState {
  readonly terms: readonly Term[];
  readonly sequences: readonly Sequence[];
}

/** The definitions in force, with lookups. */
export interface DefinitionSet {
  /** During a rebuild events are only gathered: nothing is evaluated until it has finished. */
  readonly isRebuilding: boolean;
  readonly byId: ReadonlyMap<string, LiveDefinition>;
  /** Definitions that an event of the platform and name may change. */
  forEvent(platform: string, name: string): readonly LiveDefinition[];
  ofPlatform(platform: string): readonly LiveDefinition[];
  keptState(platform: string, name: string): KeptState;
}

const nothingKept: KeptState = { terms: [], sequences: [] };

/** Compiles definitions and indexes them for lookup. */
export function definitionSet(all: readonly EngineDefinition[], isRebuilding = false): DefinitionSet {
  const segments = new Map<string, CompiledSegment>();
  const compiled = all.map((definition): CompiledSegment | CompiledTask => {
    if (definition.kind === 'task') return compileTask(definition, segments);
    const segment = compileSegment(definition, segments);
    segments.set(definition.definitionId, segment);
    return segment;
  });
  const live = compiled.map((each): LiveDefinition => {
    const { definitionId, platform, organizerId, paused, versions } = each.definition;
    const { version } = versions[versions.length - 1];
    return { ...each, definitionId, platform, organizerId, paused, version, ...dependenciesOf(each, segments) };
  });
  const byEvent = new Map<string, LiveDefinition[]>();
  const byPlatform = new Map<string, LiveDefinition[]>();
  for (const definition of live) {
    for (const name of definition.names) add(byEvent, eventKey(definition.platform, name), definition);
    add(byPlatform, definition.platform, definition);
  }
  const kept = keptStates(compiled);
  return {
    isRebuilding,
    byId: new Map(live.map((definition) => [definition.definitionId, definition])),
    forEvent: (platform, name) => byEvent.get(eventKey(platform, name)) ?? [],
    ofPlatform: (platform) => byPlatform.get(platform) ?? [],
    keptState: (platform, name) => kept.get(eventKey(platform, name)) ?? nothingKept,
  };
}

function keptStates(all: readonly (CompiledSegment | CompiledTask)[]): Map<string, KeptState> {
  const terms = new Map<string, Map<string, Term>>();
  const sequences = new Map<string, Map<string, Sequence>>();
  const put = <T>(to: Map<string, Map<string, T>>, key: string, id: string, value: T): void => {
    const known = to.get(key);
    if (known) known.set(id, value);
    else to.set(key, new Map([[id, value]]));
  };
  for (const each of all) {
    const { platform } = each.definition;
    for (const term of termsOf(each)) put(terms, eventKey(platform, term.event), term.id, term);
    for (const sequence of conditionsOf(each).flatMap((condition) => condition.sequences))
      for (const name of sequence.names) put(sequences, eventKey(platform, name), sequence.key, sequence);
  }
  return new Map(
    [...new Set([...terms.keys(), ...sequences.keys()])].map((key) => [
      key,
      { terms: [...(terms.get(key)?.values() ?? [])], sequences: [...(sequences.get(key)?.values() ?? [])] },
    ]),
  );
}

function conditionsOf(each: CompiledSegment | CompiledTask): readonly CompiledCondition[] {
  return each.kind === 'segment' ? each.conditions : each.versions.map(({ goal }) => goal);
}

function termsOf(each: CompiledSegment | CompiledTask): Term[] {
  const own = each.kind === 'task' ? each.versions.flatMap(({ terms }) => terms) : [];
  return [...own, ...conditionsOf(each).flatMap(({ terms }) => terms)];
}

function dependenciesOf(
  each: CompiledSegment | CompiledTask,
  segments: ReadonlyMap<string, CompiledSegment>,
): Pick<LiveDefinition, 'names' | 'dependsOn'> {
  const names = new Set<string>();
  const dependsOn = new Set<string>();
  const visit = (one: CompiledSegment | CompiledTask): void => {
    for (const term of termsOf(one)) names.add(term.event);
    for (const condition of conditionsOf(one)) {
      for (const name of condition.names) names.add(name);
      condition.segments.forEach(refer);
    }
    if (one.kind === 'task') for (const { eligibleId } of one.versions) if (eligibleId !== null) refer(eligibleId);
  };
  const refer = (segmentId: string): void => {
    const segment = segments.get(segmentId);
    if (!segment || dependsOn.has(segmentId)) return;
    dependsOn.add(segmentId);
    visit(segment);
  };
  visit(each);
  return { names, dependsOn };
}

function eventKey(platform: string, name: string): string {
  return JSON.stringify([platform, name]);
}

function add<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}
