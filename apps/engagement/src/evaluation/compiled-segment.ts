import { compileCondition } from './compiled-condition';
import { CompileContext, CompiledCondition, ReferredSegment } from './condition-node';
import { SegmentDefinition } from './definition';
import { Rates } from './rates';

/** A segment that can be evaluated for users. */
export interface CompiledSegment extends ReferredSegment {
  readonly kind: 'segment';
  readonly definition: SegmentDefinition;
  /** Of the organizer. */
  readonly rates: Rates;
  /** By version, oldest first. */
  readonly conditions: readonly CompiledCondition[];
}

/** Compiles a segment with all its versions. */
export function compileSegment(
  definition: SegmentDefinition,
  segments: CompileContext['segments'],
  rates: Rates,
): CompiledSegment {
  const { versions, specs, endedAt } = definition;
  const conditions = versions.map(({ body }) =>
    compileCondition(body.condition, { specs, segments, rates, zone: body.zone, taskStart: null, per: null }),
  );
  return {
    kind: 'segment',
    definition,
    rates,
    conditions,
    holds: (moment) =>
      (endedAt === null || moment.atS < endedAt) && conditions[versionIndexAt(versions, moment.atS)].holds(moment),
    boundaries: (view, add) => {
      for (const { inForceFrom } of versions.slice(1)) add(inForceFrom);
      if (endedAt !== null) add(endedAt);
      for (const condition of conditions) condition.boundaries(view, add);
    },
    sensitivities: (polarity) => conditions.flatMap((condition) => condition.sensitivities(polarity)),
  };
}

/** The index of the version in force at an instant; the first one covers all earlier instants. */
export function versionIndexAt(versions: readonly { readonly inForceFrom: number }[], atS: number): number {
  let index = versions.length - 1;
  while (index > 0 && versions[index].inForceFrom > atS) index--;
  return index;
}
