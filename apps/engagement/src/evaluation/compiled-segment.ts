import { requireZone } from './calendar';
import { compileCondition } from './compiled-condition';
import { CompileContext, CompiledCondition, ReferredSegment } from './condition-node';
import { SegmentDefinition } from './definition';
import { Rates } from './rates';
import { Dependency, dependencyFinder, distinctUses } from './segment-dependencies';
import { Polarity, Sensitivity, SensitivityList, sensitivityList } from './sensitivity';

/** A segment that can be evaluated for users. */
export interface CompiledSegment extends ReferredSegment {
  readonly kind: 'segment';
  readonly definition: SegmentDefinition;
  /** Of the organizer. */
  readonly rates: Rates;
  /** By version, oldest first. */
  readonly conditions: readonly CompiledCondition[];
  /** The other segments on which any version depends; for use once all are compiled. */
  dependencies(): readonly Dependency[];
}

/** Compiles a segment with all its versions; throws for what this process cannot evaluate. */
export function compileSegment(
  definition: SegmentDefinition,
  segments: CompileContext['segments'],
  rates: Rates,
): CompiledSegment {
  const { versions, specs, endedAt } = definition;
  const conditions = versions.map(({ body: { condition, zone } }) => {
    requireZone(zone);
    return compileCondition(condition, { specs, segments, rates, zone, taskStart: null, per: null });
  });
  const uses = distinctUses(conditions.flatMap((condition) => condition.uses));
  const find = dependencyFinder(segments);
  let dependencies: readonly Dependency[] | undefined;
  const lists = new Map<Polarity, SensitivityList>();
  return {
    kind: 'segment',
    definition,
    rates,
    conditions,
    holds: (moment) =>
      (endedAt === null || moment.atS < endedAt) && conditions[versionIndexAt(versions, moment.atS)].holds(moment),
    ownNames: new Set(conditions.flatMap(({ names }) => [...names])),
    uses,
    settledFrom: Math.max(
      versions.length > 1 ? versions[versions.length - 1].inForceFrom : -Infinity,
      endedAt ?? -Infinity,
    ),
    dependencies: () => (dependencies ??= find(uses)),
    ownBoundaries: (view, add) => {
      for (const { inForceFrom } of versions.slice(1)) add(inForceFrom);
      if (endedAt !== null) add(endedAt);
      for (const condition of conditions) condition.boundaries(view, add);
    },
    ownSensitivities: (polarity) => {
      const own = (): Sensitivity[] => conditions.flatMap((condition) => condition.sensitivities(polarity));
      const list = lists.get(polarity) ?? sensitivityList(own());
      lists.set(polarity, list);
      return list;
    },
  };
}

/** The index of the version in force at an instant; the first one covers all earlier instants. */
export function versionIndexAt(versions: readonly { readonly inForceFrom: number }[], atS: number): number {
  let [index, above] = [0, versions.length];
  while (above - index > 1) {
    const middle = (index + above) >>> 1;
    if (versions[middle].inForceFrom > atS) above = middle;
    else index = middle;
  }
  return index;
}
