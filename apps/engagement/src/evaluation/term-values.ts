import { MergedRanges } from './merged-ranges';
import { Moment } from './moment';
import { PerView } from './per-view';
import { SeenValue, SeenValues } from './seen-values';
import { Part, addToPart, mergedPart } from './tally';
import { Term } from './terms';
import { UserView } from './user-history';

/** Buckets and single events of a term, of one link or of all. */
interface TermValues {
  readonly buckets: MergedRanges<Part>;
  readonly events: SeenValues<Part>;
}

const known = new PerView<string, TermValues>();

/**
 * Passes merged parts of what an instant sees of a term from `from` until before `to`. Of a term that is kept per link these are
 * the values of the link in force; without one, nothing is passed.
 */
export function forEachPart(
  term: Term,
  moment: Moment,
  { from, to }: { readonly from: number; readonly to: number },
  add: (part: Part) => void,
): void {
  const { view, link } = moment;
  const isOfLink = term.scope.kind === 'link';
  if (isOfLink && link === null) return;
  const linkedAt = isOfLink ? (link?.linkedAt ?? null) : null;
  const key = linkedAt === null ? term.id : `${term.id} ${linkedAt}`;
  const { buckets, events } = known.of(view, key, () => valuesOf(view, term, linkedAt));
  buckets.forEachIn(from, to, add);
  events.forEachAt(moment, from, to, add);
}

function valuesOf(view: UserView, term: Term, linkedAt: number | null): TermValues {
  const merge = (a: Part, b: Part): Part => mergedPart(term.measure, a, b);
  const buckets = [...(view.partsOf(term) ?? [])].filter(([bucket]) => linkedAt === null || bucket === linkedAt);
  const events = view.countedBy(term).flatMap(({ event, seenAt, value }): SeenValue<Part>[] => {
    const part = linkedAt === null || event.linkedAt === linkedAt ? addToPart(term, undefined, value) : undefined;
    return part === undefined ? [] : [{ event, seenAt, value: part }];
  });
  for (const { event, seenAt, bucket, part } of view.latePartsOf(term))
    if (linkedAt === null || bucket === linkedAt) events.push({ event, seenAt, bucket, value: part });
  return { buckets: new MergedRanges(buckets, merge), events: new SeenValues(events, merge) };
}
