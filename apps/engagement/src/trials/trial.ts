import { EngineDefinition, SegmentDefinition, TaskDefinition } from '../evaluation/definition';

/** `pricing`: all users are evaluated, and costs are added up in the order of a budget. */
export type TrialState = 'waiting' | 'running' | 'pricing' | 'finished' | 'cancelled' | 'failed';

/** The version that is tried, and the published version beside it. */
export type TrialSide = 'draft' | 'published';

/**
 * What a trial evaluates, as it was when it was ordered, so that a restart or a publication in between changes nothing.
 * `segments` are those on which the definitions depend.
 */
export type TrialSubject =
  | {
      readonly kind: 'preview';
      readonly draft: SegmentDefinition;
      readonly segments: readonly SegmentDefinition[];
    }
  | {
      readonly kind: 'dry_run';
      /** One version whose dates are those of the dry run. */
      readonly draft: TaskDefinition;
      /** The same of the published version; null where none is published, or it is the one that is tried. */
      readonly published: TaskDefinition | null;
      readonly segments: readonly SegmentDefinition[];
    };

/** What a list shows of a subject: the tasks of a dry run, without the segments on which they depend. */
export type ListedTasks = Omit<Extract<TrialSubject, { kind: 'dry_run' }>, 'segments'>;

/** A trial as operators order it. */
export interface NewTrial {
  readonly trialId: string;
  readonly definitionId: string;
  readonly version: number;
  readonly platform: string;
  readonly subject: TrialSubject;
  /** Unix seconds: now, for all users alike. */
  readonly asOf: number;
  /** Unix seconds, half-open; null of previews. */
  readonly dates: { readonly from: number; readonly to: number } | null;
  readonly orderedBy: string;
}

/** A trial with its progress. */
export interface Trial extends NewTrial {
  readonly state: TrialState;
  readonly orderedAt: Date;
  readonly finishedAt: Date | null;
  /** Users of the platform when it began; null before. */
  readonly usersTotal: number | null;
  readonly lastUserRef: number | null;
  /** All users up to this row are evaluated. */
  readonly afterUserRef: number;
  readonly usersDone: number;
  /** Of previews. */
  readonly members: number;
  /** Steps that have failed in succession, of all instances. */
  readonly failures: number;
}

/** A trial without what it evaluates. */
export type ListedTrial = Omit<Trial, 'subject'>;

/** A dry run of which only the tasks are read. */
export interface ListedDryRun extends ListedTrial {
  readonly subject: ListedTasks;
}

/** The definitions of a subject with their sides. */
export function tasksOf(
  subject: TrialSubject | ListedTasks,
): { readonly side: TrialSide; readonly task: TaskDefinition }[] {
  if (subject.kind === 'preview') return [];
  const { draft, published } = subject;
  return [
    { side: 'draft', task: draft },
    ...(published === null ? [] : [{ side: 'published' as const, task: published }]),
  ];
}

/** All that has to be compiled to evaluate a definition of a subject. */
export function compiledWith({ segments }: TrialSubject, definition: EngineDefinition): EngineDefinition[] {
  return [...segments.filter(({ definitionId }) => definitionId !== definition.definitionId), definition];
}
