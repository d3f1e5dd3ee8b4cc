import { AttributeSpecs, SegmentBody } from '../evaluation/definition';
import { canonicalSegment } from './canonical-body';
import { PlatformCatalogue } from './catalogue';
import { checkCondition } from './check-condition';
import { FilterCheck } from './check-filter';
import { checkZone } from './check-zone';

/** A body in canonical form that may become a draft, with the specifications of the attributes that it names. */
export interface CheckedBody<Body> {
  readonly body: Body;
  readonly specs: AttributeSpecs;
}

/** A segment as an operator sent it. */
export interface GivenSegment {
  readonly condition: unknown;
  readonly zone?: unknown;
}

/** Checks a segment against its platform's catalogue; throws a coded error that names the place. */
export function checkSegment(given: GivenSegment, catalogue: PlatformCatalogue): CheckedBody<SegmentBody> {
  const filters = new FilterCheck(catalogue);
  const zone = checkZone(given.zone);
  const place = { kind: 'segment', zone: zone ?? 'UTC' } as const;
  const condition = checkCondition(given.condition, 'condition', filters, place);
  const specs = filters.specs();
  return { body: canonicalSegment({ condition, zone }, specs), specs };
}
