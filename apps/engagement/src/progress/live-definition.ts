import { CompiledCondition } from '../evaluation/condition-node';
import { Condition } from '../evaluation/condition';
import { CompiledSegment } from '../evaluation/compiled-segment';
import { CompiledTask } from '../evaluation/compiled-task';
import { holdsForNewUsers } from '../evaluation/holds-without-events';
import { Term } from '../evaluation/terms';
import { fallsWithTime, sensitivityOf } from './definition-sensitivity';
import { IndexedDefinition } from './event-index';

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

/** A definition that is live, with what an index needs of it. */
export type IndexedLive = IndexedDefinition<LiveDefinition>;

/** A compiled definition with all on which it depends; for use once the segments to which it refers are compiled. */
export function liveDefinition(each: CompiledSegment | CompiledTask): IndexedLive {
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
}

/** The compiled conditions of all versions. */
export function conditionsOf(each: CompiledSegment | CompiledTask): readonly CompiledCondition[] {
  return each.kind === 'segment' ? each.conditions : each.versions.map(({ goal }) => goal);
}

/** The terms of all versions, without those of the segments to which they refer. */
export function termsOf(each: CompiledSegment | CompiledTask): Term[] {
  const own = each.kind === 'task' ? each.versions.flatMap(({ terms }) => terms) : [];
  return [...own, ...conditionsOf(each).flatMap(({ terms }) => terms)];
}

function conditionBodiesOf({ definition }: CompiledSegment | CompiledTask): Condition[] {
  if (definition.kind === 'segment') return definition.versions.map(({ body }) => body.condition);
  return definition.versions.map(({ body }) => body.goal);
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
