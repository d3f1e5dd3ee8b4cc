import { Static, Type } from '@sinclair/typebox';
import { EventDefinition } from '../envelope';

/** How far a user is with one task. */
export const TaskProgress = Type.Object({
  task_id: Type.String(),
  task_version: Type.Integer({ minimum: 1, description: 'The version in force at `shown_at`' }),
  series: Type.String({
    description:
      'What the progress leads to: an occurrence (g1:once, 2026-11), or of "every" what precedes the number (g1:every)',
  }),
  period_ends_at: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Unix seconds, of a task that repeats per period: from then on another series counts, from zero',
  }),
  value: Type.Union([Type.String(), Type.Null()], {
    description: 'Exact decimal; null where only `reached` is shown: the goal is no single comparison',
  }),
  target: Type.Union([Type.String(), Type.Null()], {
    description: 'What the value is compared with; of "every", that of the next occurrence',
  }),
  reached: Type.Boolean({ description: 'Whether the series is reached; of "every", at least one occurrence' }),
});
export type TaskProgress = Static<typeof TaskProgress>;

/** The tasks whose shown progress changed for a user. */
export const TaskProgressData = Type.Object({
  platform: Type.String(),
  organizer_id: Type.String(),
  user_id: Type.String(),
  platform_user_id: Type.String({ description: 'The account linked last; empty where none is known' }),
  shown_at: Type.Integer({ description: 'Unix seconds: the instant at which the progress is as shown' }),
  tasks: Type.Array(TaskProgress, { minItems: 1, description: 'Only the tasks whose progress changed, each once' }),
});
export type TaskProgressData = Static<typeof TaskProgressData>;

/** A record replaces what was shown of its tasks, so repeats are harmless; apply only a higher revision of a (platform, user). */
export const taskProgressChanged = {
  type: 'engagement.task-progress.changed',
  schemaVersion: 1,
  data: TaskProgressData,
  idempotencyKey: ['data.platform', 'data.user_id', 'revision'],
  summary: "A user's progress with bonus tasks changed",
} as const satisfies EventDefinition;
