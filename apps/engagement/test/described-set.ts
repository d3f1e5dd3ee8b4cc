import { DefinitionSet, LiveDefinition } from '../src/progress/definition-set';
import { EventIndex } from '../src/progress/event-index';

/** The same for both sets that are compared. */
const nowS = Date.now() / 1000;
/** Unix seconds of days before which rates are looked up. */
const rateDays = [0, ...Array.from({ length: 400 }, (_, days) => nowS - days * 86_400)];

/**
 * All that a set answers, without functions, so that two sets can be compared. Segments on which a definition depends have to be
 * those of the set itself.
 */
export function describedSet(set: DefinitionSet): object {
  const all = [...set.byId.values()];
  const platforms = [...new Set(['acme', 'other', ...all.map(({ platform }) => platform)])];
  const names = [...new Set(['unknown', ...all.flatMap((each) => [...each.names])])].sort();
  return {
    isRebuilding: set.isRebuilding,
    definitions: all.map((each) => describedDefinition(each, set)),
    platforms: platforms.map((platform) => ({
      platform,
      isPartial: set.isPartial(platform),
      definitions: idsOf(set.ofPlatform(platform)),
      events: names.map((name) => {
        const { key, terms, sequences, running, isPartial } = set.keptState(platform, name);
        return {
          ...{ name, key, isPartial },
          terms: terms.map(({ id }) => id),
          sequences: sequences.map((each) => each.key),
          running: running.map(({ id }) => id),
          index: describedIndex(set.forEvent(platform, name)),
        };
      }),
    })),
  };
}

function describedDefinition(each: LiveDefinition, { byId }: DefinitionSet): object {
  const { definition, paused, version, names, needsEvents, fallsWithTime, dependsOn } = each;
  const versions = each.kind === 'segment' ? [each] : each.versions;
  return {
    ...{ definition, paused, version, names, needsEvents, fallsWithTime, dependsOn },
    closesAt: each.kind === 'task' ? each.closesAt : null,
    rates: rateDays.map((dayS) => each.rates.before('USD', 'EUR', dayS)),
    dependencies: versions.map((one) =>
      one.dependencies().map(({ segmentId, segment, polarities }) => ({
        ...{ segmentId, polarities },
        isOfSet: segment.holds === segmentIn(byId, segmentId)?.holds,
      })),
    ),
    eligible:
      each.kind === 'segment'
        ? null
        : each.versions.map(({ eligible, eligibleId }) => {
            const known = eligibleId === null ? undefined : segmentIn(byId, eligibleId);
            return { eligibleId, isKnown: known !== undefined, isOfSet: known && eligible?.holds === known.holds };
          }),
  };
}

function segmentIn(byId: DefinitionSet['byId'], id: string): Extract<LiveDefinition, { kind: 'segment' }> | undefined {
  const found = byId.get(id);
  return found?.kind === 'segment' ? found : undefined;
}

function describedIndex(index: EventIndex<LiveDefinition>): object {
  return {
    all: idsOf(index.all),
    always: idsOf(index.always),
    latest: index.latest.map(({ dependents }) => idsOf(dependents)),
    passing: index.passing.map(({ dependents }) => idsOf(dependents)),
    steps: index.steps.map(({ steps, definitions }) => ({ key: steps.key, definitions: idsOf(definitions) })),
    shown: index.shown.map(({ values, tasks }) => ({
      values: values.map(({ key }) => key),
      tasks: tasks.map(({ definition, untilS }) => ({ id: definition.definitionId, untilS })),
    })),
    watched: index.watched.map(({ term, values }) => ({
      term: term.id,
      values: values.map(({ value, thresholds }) => ({
        key: value.key,
        bounds: thresholds?.bounds,
        dependents: thresholds?.dependents.map((lists) => lists.map(idsOf)),
      })),
    })),
    unsettled: [0, nowS, 4e9].map((atS) => idsOf(index.unsettled(atS))),
  };
}

function idsOf(definitions: readonly LiveDefinition[]): string[] {
  return definitions.map(({ definitionId, paused }) => `${definitionId} ${paused}`);
}
