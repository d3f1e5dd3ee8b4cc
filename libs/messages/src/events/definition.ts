import { Static, Type } from '@sinclair/typebox';
import { EventDefinition } from '../envelope';

const nullable = <T extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>>(schema: T) =>
  Type.Union([schema, Type.Null()]);
const time = Type.String({ description: 'ISO 8601, to the microsecond' });
const anyObject = Type.Record(Type.String(), Type.Unknown());

/** One version of a segment or task. */
export const DefinitionVersionData = Type.Object({
  version: Type.Integer({ minimum: 1 }),
  generation: nullable(Type.Integer({ minimum: 1 })),
  name: Type.String(),
  body: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'Condition, or goal with repeat, dates, reward and budget, in canonical form (docs/engine-conditions.md)',
  }),
  attribute_types: Type.Record(Type.String(), Type.Unknown(), {
    description: 'By event and attribute name, as negotiated when the version was checked',
  }),
  state: Type.Union([
    Type.Literal('draft'),
    Type.Literal('published'),
    Type.Literal('paused'),
    Type.Literal('ended'),
    Type.Literal('replaced'),
  ]),
  created_by: Type.String(),
  created_at: time,
  published_by: nullable(Type.String()),
  published_at: nullable(time),
  counts_from: nullable(time),
  in_force_from: nullable(Type.Integer({ description: 'Unix seconds of event time' })),
  ended_at: nullable(Type.String({ description: 'From when on it has ended or is replaced; may lie ahead' })),
  ended_while_paused: Type.Boolean(),
  recount: Type.Boolean({ description: 'The task window of its generation begins at the start of the task' }),
  max_per_day: nullable(Type.Integer({ description: 'The engine pauses the task above so many awards of a UTC day' })),
  paused_because: Type.Union([anyObject, Type.Null()], {
    description: 'The day and its awards, while the engine has paused it',
  }),
});
export type DefinitionVersionData = Static<typeof DefinitionVersionData>;

/** A change of a definition in the audit trail. */
export const DefinitionAuditData = Type.Object({
  at: time,
  operator_id: Type.String(),
  action: Type.String({ description: 'For example task.published' }),
  details: anyObject,
});
export type DefinitionAuditData = Static<typeof DefinitionAuditData>;

/** A segment or task with all its versions. */
export const DefinitionData = Type.Object({
  definition_id: Type.String(),
  kind: Type.Union([Type.Literal('segment'), Type.Literal('task')]),
  platform: Type.String(),
  organizer_id: Type.String(),
  versions: Type.Array(DefinitionVersionData, { minItems: 1, description: 'All of them, oldest first' }),
  raised_budget: Type.Union(
    [
      Type.Object({
        stated_total: Type.String({ description: 'Exact decimal: the total that the versions state' }),
        total: Type.String({ description: 'Exact decimal: the total that counts while versions state the same' }),
      }),
      Type.Null(),
    ],
    { description: 'A total budget that an operator has raised without a new version' },
  ),
  audit: Type.Array(DefinitionAuditData, { description: 'The newest 100 changes, oldest first' }),
});
export type DefinitionData = Static<typeof DefinitionData>;

/** Repeats of one revision are the same state; apply only a higher revision of a definition. */
export const definitionChanged = {
  type: 'engagement.definition.changed',
  schemaVersion: 1,
  data: DefinitionData,
  idempotencyKey: ['data.definition_id', 'revision'],
  summary: 'The whole state of one segment or task after a change',
} as const satisfies EventDefinition;
