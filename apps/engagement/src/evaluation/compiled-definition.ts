import { AttributeType, Reward, UserEventData } from '@podium/messages';
import { Condition, SegmentBody, TaskBody } from './condition';
import { attributeText } from './event-filter';
import { formatDecimal, parseDecimal, toBillionths } from './exact-decimal';
import { GrainS, goalGrain, segmentGrain } from './grain';
import { TermPoint } from './term-point';
import { CompiledCondition, Predicate, Term, compileCondition, emptyValues } from './terms';
import { leavesAt, startOfBucket } from './window';

/** A version in force, as read by `DefinitionsStore.loadPublished`; it was validated before it was published. */
export type PublishedDefinition = {
  readonly definitionId: string;
  readonly version: number;
  readonly generation: number;
  readonly platform: string;
  readonly organizerId: string;
  /** A paused definition still collects state, so that no event is lost; it is not evaluated until it is resumed. */
  readonly paused: boolean;
  /** Unix milliseconds: events received before it do not count for the generation, whenever they are applied. */
  readonly countsFromMs: number;
  /** Negotiated types by event and attribute name, for all attributes that the body uses. */
  readonly attributeTypes: Readonly<Record<string, Readonly<Record<string, AttributeType>>>>;
} & ({ readonly kind: 'segment'; readonly body: SegmentBody } | { readonly kind: 'task'; readonly body: TaskBody });

interface CompiledBase {
  readonly definitionId: string;
  readonly version: number;
  readonly generation: number;
  readonly platform: string;
  readonly organizerId: string;
  readonly paused: boolean;
  /** Events of other names never change the state. */
  readonly eventNames: ReadonlySet<string>;
  /**
   * The points that an event adds to its user's state. Empty when no term matches, for an event of another platform, and for
   * an event received before `countsFromMs`.
   */
  deltas(event: UserEventData): TermPoint[];
  /** For the evaluation only. */
  readonly terms: readonly Term[];
  readonly holds: Predicate;
}

/** A compiled segment: `evaluateSegment` (evaluate-segment.ts) evaluates its state. */
export interface CompiledSegment extends CompiledBase {
  readonly kind: 'segment';
}

/** A compiled task: `evaluateTask` (evaluate-task.ts) evaluates its state. */
export interface CompiledTask extends CompiledBase {
  readonly kind: 'task';
  readonly reward: Reward;
  readonly grainS: GrainS;
  /** Unix seconds, inclusive; null: no start. */
  readonly startsAt: number | null;
  /** Unix seconds, exclusive; null: no end. */
  readonly endsAt: number | null;
  readonly repeat: CompiledRepeat;
  readonly maxOccurrences: number;
}

/** Once, or again for every `step` by which the goal's only term exceeds `first` (both billionths). */
export type CompiledRepeat =
  { readonly kind: 'once' } | { readonly kind: 'every'; readonly first: bigint; readonly step: bigint };

/** A compiled definition, by `kind`. */
export type CompiledDefinition = CompiledSegment | CompiledTask;

/** The limit of a repeated task without `max_per_user`; needed because one event may have any amount. */
export const occurrenceLimit = 100_000;

/** Compiles a validated definition, once per version; throws on a body that the validation would have refused. */
export function compileDefinition(definition: PublishedDefinition): CompiledDefinition {
  const { kind, body, attributeTypes, ...identity } = definition;
  return kind === 'segment'
    ? compileSegment(identity, body, attributeTypes)
    : compileTask(identity, body, attributeTypes);
}

/** Whether a condition holds for a user without any event. */
export function holdsOnNothing(condition: Condition, attributeTypes: PublishedDefinition['attributeTypes']): boolean {
  const { terms, holds } = compileCondition(condition, attributeTypes);
  return holds(emptyValues(terms));
}

type Identity = Pick<
  PublishedDefinition,
  'definitionId' | 'version' | 'generation' | 'platform' | 'organizerId' | 'paused' | 'countsFromMs'
>;

function compileSegment(
  identity: Identity,
  body: SegmentBody,
  types: PublishedDefinition['attributeTypes'],
): CompiledSegment {
  const condition = compileCondition(body.condition, types);
  const deltas = compileDeltas(identity, condition, segmentGrain, () => true);
  return { ...identity, kind: 'segment', ...condition, ...deltas };
}

function compileTask(identity: Identity, body: TaskBody, types: PublishedDefinition['attributeTypes']): CompiledTask {
  const condition = compileCondition(body.goal, types);
  const grainS = goalGrain(body.goal, condition.terms);
  const startsAt = body.starts_at === undefined ? null : unixSeconds(body.starts_at);
  const endsAt = body.ends_at === undefined ? null : unixSeconds(body.ends_at);
  const counts = (term: Term, { event, linked_at }: UserEventData): boolean =>
    (endsAt === null || event.created_at < endsAt) &&
    (term.window.kind !== 'since_link' || event.created_at >= linked_at);
  return {
    ...identity,
    kind: 'task',
    ...condition,
    ...compileDeltas(identity, condition, () => grainS, counts),
    reward: body.reward,
    grainS,
    startsAt,
    endsAt,
    repeat: compileRepeat(body),
    maxOccurrences: body.max_per_user ?? occurrenceLimit,
  };
}

function compileRepeat({ goal, repeat }: TaskBody): CompiledRepeat {
  if ('once' in repeat) return { kind: 'once' };
  if (!('count' in goal) && !('sum' in goal))
    throw new TypeError('a goal without one count or sum was published to repeat');
  return { kind: 'every', first: toBillionths(String(goal.value)), step: toBillionths(String(repeat.every)) };
}

function compileDeltas(
  { platform, countsFromMs }: Identity,
  { terms }: CompiledCondition,
  grainOf: (term: Term) => GrainS,
  counts: (term: Term, event: UserEventData) => boolean,
): Pick<CompiledBase, 'eventNames' | 'deltas'> {
  const byEvent = new Map<string, Term[]>();
  for (const term of terms) byEvent.set(term.event, [...(byEvent.get(term.event) ?? []), term]);
  const grains = terms.map(grainOf);
  return {
    eventNames: new Set(byEvent.keys()),
    deltas: (event) => {
      const named = byEvent.get(event.event.name);
      if (!named || event.platform !== platform || event.received_at < countsFromMs) return [];
      const points: TermPoint[] = [];
      for (const term of named) {
        const point = counts(term, event) ? pointOf(term, grains[term.index], event) : null;
        if (point) points.push(point);
      }
      return points;
    },
  };
}

function pointOf(term: Term, grainS: GrainS, { event }: UserEventData): TermPoint | null {
  const passes = term.passes(event.attributes);
  const bucket = grainS === 0 ? 0 : startOfBucket(event.created_at, grainS);
  const base = { term: term.index, bucket, count: 1, sum: '0' };
  if (term.measure === 'latest')
    return { ...base, latestAt: event.created_at, latestId: event.id, latestHolds: passes };
  if (!passes) return null;
  const newest = grainS === 1 ? null : event.created_at;
  const point = { ...base, latestAt: newest, latestId: newest === null ? null : '', latestHolds: null };
  if (term.measure === 'count') return point;
  const amount = parseAmount(attributeText(event.attributes, term.attribute ?? ''));
  return amount === null ? null : { ...point, sum: formatDecimal(amount) };
}

function parseAmount(text: string | undefined): bigint | null {
  return text === undefined ? null : parseDecimal(text);
}

/** Unix seconds of an ISO 8601 instant; a fraction of a second rounds up, so that no earlier event counts as later. */
function unixSeconds(iso: string): number {
  return Math.ceil(Date.parse(iso) / 1000);
}

/** Unix seconds at which a point of a rolling term leaves its window; null if it never leaves. */
export function pointLeavesAt(term: Term, point: TermPoint): number | null {
  return term.window.kind === 'rolling' ? leavesAt(term.window, point.bucket) : null;
}

/** Unix seconds of the newest event counted in the points; 0 if there is none. */
export function newestOf(points: readonly TermPoint[]): number {
  let newest = 0;
  for (const point of points) newest = Math.max(newest, point.latestAt ?? point.bucket);
  return newest;
}
