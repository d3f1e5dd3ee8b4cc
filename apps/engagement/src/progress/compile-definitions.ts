import { CompiledSegment, compileSegment } from '../evaluation/compiled-segment';
import { compileTask } from '../evaluation/compiled-task';
import { EngineDefinition } from '../evaluation/definition';
import { Rates, noRates } from '../evaluation/rates';
import { usesRates } from '../rates/used-pairs';
import { withDependencies, withDependents } from './definition-dependencies';
import { IndexedLive, liveDefinition } from './live-definition';

/**
 * Compiles definitions, segments first; `rates` are those of organizers. A definition of which nothing has changed since `before`,
 * neither its versions nor its rates nor a segment on which it depends, is taken from there as it is.
 */
export function compileDefinitions(
  all: readonly EngineDefinition[],
  rates: ReadonlyMap<string, Rates>,
  before: ReadonlyMap<string, IndexedLive>,
): IndexedLive[] {
  const ratesOf = (definition: EngineDefinition): Rates =>
    (usesRates(definition) ? rates.get(definition.organizerId) : undefined) ?? noRates;
  const unchanged = unchangedSince(before, all, ratesOf);
  const byId = new Map(all.map((definition) => [definition.definitionId, definition]));
  const segments = new Map<string, CompiledSegment>();
  // Each has a map of its own: with one of all segments, what is taken over would keep those in memory that were replaced since.
  const addReferred = (definition: EngineDefinition, to: Map<string, CompiledSegment>): void => {
    for (const { definitionId } of withDependencies(definition, byId)) {
      const segment = segments.get(definitionId);
      if (segment) to.set(definitionId, segment);
    }
  };
  const open = new Map<EngineDefinition, Map<string, CompiledSegment>>();
  for (const definition of all) {
    if (definition.kind !== 'segment') continue;
    const known = unchanged.get(definition.definitionId)?.definition;
    const referred = new Map<string, CompiledSegment>();
    if (known?.kind !== 'segment') open.set(definition, referred);
    segments.set(
      definition.definitionId,
      known?.kind === 'segment' ? known : compileSegment(definition, referred, ratesOf(definition)),
    );
  }
  // Segments may refer to each other in any order; a task takes its eligible segment as it is compiled.
  for (const [definition, referred] of open) addReferred(definition, referred);
  const segmentsFirst = [...all].sort((a, b) => Number(a.kind === 'task') - Number(b.kind === 'task'));
  return segmentsFirst.map((definition) => {
    const known = unchanged.get(definition.definitionId);
    if (known) return known;
    if (definition.kind === 'segment') return liveDefinition(segments.get(definition.definitionId)!);
    const referred = new Map<string, CompiledSegment>();
    addReferred(definition, referred);
    return liveDefinition(compileTask(definition, referred, ratesOf(definition)));
  });
}

/** Those of before that can stay, by id; each with its pause of now. */
function unchangedSince(
  before: ReadonlyMap<string, IndexedLive>,
  all: readonly EngineDefinition[],
  ratesOf: (definition: EngineDefinition) => Rates,
): Map<string, IndexedLive> {
  const unchanged = new Map<string, IndexedLive>();
  if (before.size === 0) return unchanged;
  for (const definition of all) {
    const known = before.get(definition.definitionId);
    if (known?.definition.rates !== ratesOf(definition)) continue;
    const same = withPauseOf(definition, known);
    if (same) unchanged.set(definition.definitionId, same);
  }
  const ids = new Set([...before.keys(), ...all.map(({ definitionId }) => definitionId)]);
  const changed = [...ids].filter((id) => !unchanged.has(id));
  for (const id of withDependents(changed, all)) unchanged.delete(id);
  return unchanged;
}

/** What is known of a definition if nothing but its pause has changed, on which nothing that is compiled depends; else null. */
function withPauseOf(definition: EngineDefinition, known: IndexedLive): IndexedLive | null {
  const { definition: live } = known;
  const { paused } = definition;
  if (live.definition === definition) return known;
  if (JSON.stringify({ ...live.definition, paused }) !== JSON.stringify(definition)) return null;
  if (live.paused === paused) return known;
  if (live.kind === 'segment' && definition.kind === 'segment')
    return { ...known, definition: { ...live, definition, paused } };
  if (live.kind === 'task' && definition.kind === 'task')
    return { ...known, definition: { ...live, definition, paused } };
  return null;
}
