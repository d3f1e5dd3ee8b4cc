import { AttributeSpecs, EngineDefinition, SegmentBody, TaskBody } from '../evaluation/definition';
import { canonicalSegment, canonicalTask } from './canonical-body';
import { occurrenceLimit } from './occurrence-limit';
import { WrittenSegment, WrittenTask } from './written-body';

/**
 * The canonical form of a stored body. Bodies of the release before differ in spelling: numbers, ISO times, no zone, no
 * empty `where`, and no limit per event. Those of this release are canonical, but the database does not keep the order of
 * their fields.
 */
export function readStoredBody(kind: 'segment', body: unknown, specs: AttributeSpecs): SegmentBody;
export function readStoredBody(kind: 'task', body: unknown, specs: AttributeSpecs): TaskBody;
export function readStoredBody(
  kind: EngineDefinition['kind'],
  body: unknown,
  specs: AttributeSpecs,
): SegmentBody | TaskBody;
export function readStoredBody(
  kind: EngineDefinition['kind'],
  body: unknown,
  specs: AttributeSpecs,
): SegmentBody | TaskBody {
  return kind === 'segment'
    ? canonicalSegment(body as WrittenSegment, specs)
    : canonicalTask({ max_per_event: occurrenceLimit, ...(body as WrittenTask) }, specs);
}

/**
 * A canonical body as the database has it: the dates of a task are ISO 8601 texts, because the release before, which may run
 * beside this one, reads no others.
 */
export function storedBody(body: SegmentBody | TaskBody): object {
  if (!('goal' in body)) return body;
  const { starts_at, ends_at, ...rest } = body;
  return {
    ...rest,
    ...(starts_at === undefined ? {} : { starts_at: isoOf(starts_at) }),
    ...(ends_at === undefined ? {} : { ends_at: isoOf(ends_at) }),
  };
}

function isoOf(unixS: number): string {
  return new Date(unixS * 1000).toISOString();
}
