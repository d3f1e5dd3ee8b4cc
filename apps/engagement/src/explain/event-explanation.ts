import { AttributeTest, Filter } from '../evaluation/condition';
import { AttributeSpecs } from '../evaluation/definition';
import { compileFilter } from '../evaluation/event-filter';
import { attributeText, specOf, valueReader } from '../evaluation/event-values';
import { HistoryEvent } from '../evaluation/history';
import { isLate, seenAt } from '../evaluation/user-history';

/** Why an event of a named event does not count at an instant. */
export type NotCountedReason =
  /** Received after the task had closed. */
  | 'after_closing'
  /** It happens later than the instant. */
  | 'not_yet_seen'
  /** Received later than the lateness horizon, and after the instant; of a sequence: late events take no part. */
  | 'late'
  /** A test of the filter fails. */
  | 'filter'
  /** The attribute is missing or does not parse. */
  | 'absent_value'
  | 'other_currency'
  /** The amount would be converted, and no rate of an earlier day is approved. */
  | 'no_rate'
  /** Accepted under another link than that of the instant. */
  | 'other_link'
  | 'outside_window'
  /** Of a streak: in a period that the run does not have. */
  | 'outside_streak'
  /** Of `latest`: another event is newer. */
  | 'not_newest';

/** An event that does not count, and why. */
export interface NotCountedEvent {
  readonly event: HistoryEvent;
  readonly reason: NotCountedReason;
  /** The first test that fails. */
  readonly test: AttributeTest | null;
}

/** The attribute that a comparison reads. */
export interface ReadAttribute {
  readonly attribute?: string;
  readonly currency?: string;
}

type Reason = Omit<NotCountedEvent, 'event'>;

/** Why an instant does not see an event; null when it does. */
export function unseenReason(event: HistoryEvent, atS: number, closesAt: number): Reason | null {
  if (event.receivedAt >= closesAt) return { reason: 'after_closing', test: null };
  if (seenAt(event) <= atS) return null;
  return { reason: isLate(event) && event.createdAt <= atS ? 'late' : 'not_yet_seen', test: null };
}

/** Finds why events do not pass a filter or have no value. */
export class FilterExplanation {
  private readonly tests: readonly {
    readonly test: AttributeTest;
    readonly passes: (event: HistoryEvent) => boolean;
  }[];

  constructor(
    private readonly filter: Filter,
    private readonly specs: AttributeSpecs,
    private readonly read: ReadAttribute = {},
  ) {
    this.tests = filter.where.map((test) => ({
      test,
      passes: compileFilter({ event: filter.event, where: [test] }, specs),
    }));
  }

  /** The reason of an event of the filter's name; null when it passes and has a value. */
  reasonOf(event: HistoryEvent): Reason | null {
    const failed = this.tests.find(({ passes }) => !passes(event));
    if (failed) return { reason: 'filter', test: failed.test };
    const { attribute, currency } = this.read;
    if (attribute === undefined || this.has(event, attribute, currency)) return null;
    const isOther = currency !== undefined && this.has(event, attribute);
    return { reason: isOther ? 'other_currency' : 'absent_value', test: null };
  }

  /** The text that the comparison reads of an event; null where it reads none. */
  textOf(event: HistoryEvent): string | null {
    const { attribute } = this.read;
    if (attribute === undefined) return null;
    const text = attributeText(event, attribute) ?? null;
    const { currencyAttribute } = specOf(this.specs, this.filter.event, attribute);
    const currency = currencyAttribute === undefined ? undefined : attributeText(event, currencyAttribute);
    return text === null || currency === undefined ? text : `${text} ${currency}`;
  }

  private has(event: HistoryEvent, attribute: string, currency?: string): boolean {
    return valueReader(this.specs, this.filter.event, attribute, currency)(event) !== null;
  }
}
