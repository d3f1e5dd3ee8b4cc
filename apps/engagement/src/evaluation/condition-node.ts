import { AttributeSpecs } from './definition';
import { HistoryEvent } from './history';
import { Moment } from './moment';
import { Polarity, Sensitivity, SensitivityList } from './sensitivity';
import { Rates } from './rates';
import { Term } from './terms';
import { UserView } from './user-history';
import { WindowContext } from './windows';

/** A compiled sequence. Late events take no part; of a task only events of its window do. */
export interface Sequence {
  /** Digest of all that it depends on. */
  readonly key: string;
  readonly names: readonly string[];
  readonly withinS: number;
  /** Whether it has happened by an instant. */
  holds(moment: Moment): boolean;
  /**
   * Unix seconds of the event that completes it first, among events in any order of which an instant counts those of its
   * window; null if none does.
   */
  completedAt(events: readonly HistoryEvent[], atS: number): number | null;
  /** Whether an event can be one of its steps. */
  takes(event: HistoryEvent): boolean;
  /** Whether a completion counts at a later instant: in a task that pays per period only within the period. */
  isCounted(completedAt: number, atS: number): boolean;
}

/** A segment that a condition refers to. */
export interface SegmentUse {
  readonly segmentId: string;
  readonly polarity: Polarity;
}

/** A segment as conditions refer to it. What is its own leaves out the segments that it refers to (segment-dependencies.ts). */
export interface ReferredSegment {
  /** Names of its own events, of all versions. */
  readonly ownNames: ReadonlySet<string>;
  /** What its versions refer to, each once. */
  readonly uses: readonly SegmentUse[];
  /** Unix seconds from which its newest version is in force, and from which it has ended if it has an end. */
  readonly settledFrom: number;
  /** Whether the condition of the version in force at the instant holds, linked or not; false once it has ended. */
  holds(moment: Moment): boolean;
  /** Adds seconds at which its own parts may change without an event. */
  ownBoundaries(view: UserView, add: (atS: number) => void): void;
  /** To what the own parts of all versions are sensitive; the same list each time. */
  ownSensitivities(polarity: Polarity): SensitivityList;
}

/** What the conditions of one version are compiled with. */
export interface CompileContext extends WindowContext {
  readonly specs: AttributeSpecs;
  /** The segments of the platform; complete once all are compiled. */
  readonly segments: ReadonlyMap<string, ReferredSegment>;
  /** Of the organizer. */
  readonly rates: Rates;
}

/** A condition that can be evaluated for users. */
export interface CompiledCondition {
  /** Names of all events that it looks at, without those of the segments that it refers to. */
  readonly names: ReadonlySet<string>;
  readonly terms: readonly Term[];
  readonly sequences: readonly Sequence[];
  /** The segments that it refers to. */
  readonly uses: readonly SegmentUse[];
  holds(moment: Moment): boolean;
  /** Adds seconds at which it may change without an event and without a change of a segment that it refers to. */
  boundaries(view: UserView, add: (atS: number) => void): void;
  /** To what it is sensitive, without the segments that it refers to. */
  sensitivities(polarity: Polarity): Sensitivity[];
  /** Adds the single events that its comparisons count at an instant; states (latest, sequence, in_segment) count none. */
  counted(moment: Moment, add: (event: HistoryEvent) => void): void;
  /** Adds the compared values, by their path in the condition. */
  values(moment: Moment, path: string, add: (path: string, value: string) => void): void;
}

/** A leaf adds nothing that it does not have. */
export const leaf = {
  names: new Set<string>(),
  terms: [] as readonly Term[],
  sequences: [] as readonly Sequence[],
  uses: [] as readonly SegmentUse[],
  boundaries: (): void => undefined,
  sensitivities: (): Sensitivity[] => [],
  counted: (): void => undefined,
} as const;
