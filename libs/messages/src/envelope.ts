import { Static, TObject, TProperties, TSchema, Type } from '@sinclair/typebox';
import { TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import { ValueError, ValueErrorType } from '@sinclair/typebox/errors';
import { checkedForm, publishedForm } from './schema-forms';
import { isCounted } from './values/column-text';

/** A declared event type: its name, published version, data schema and the identity of its facts. */
export interface EventDefinition<Name extends string = string, Data extends TSchema = TSchema> {
  readonly type: Name;
  readonly schemaVersion: number;
  readonly data: Data;
  /** The fields that identify the fact; the comment at each definition says which repeats it merges. */
  readonly idempotencyKey: readonly string[];
  readonly summary: string;
}

/** The fields of every record in addition to its data. */
const envelopeProperties = {
  id: Type.String({ minLength: 1, description: 'Record id; equal for repeats of the same fact' }),
  type: Type.String({ description: 'Owner, fact in the past tense' }),
  schema_version: Type.Integer({ minimum: 1 }),
  revision: Type.Integer({
    minimum: 0,
    description: 'Grows per key for records that leave through an outbox; 0 where order per key has no meaning',
  }),
  occurred_at: Type.Integer({ minimum: 0, description: 'Unix milliseconds, clock of the producing service' }),
  key: Type.String({ minLength: 1, description: 'The Kafka record key' }),
  source: Type.String({ description: 'Producing service' }),
  traceparent: Type.Optional(Type.String({ description: 'W3C trace context of the cause' })),
};

/** A record's value as JSON: the envelope and the data of one event type. */
export interface Envelope<Data = unknown> {
  id: string;
  type: string;
  schema_version: number;
  revision: number;
  occurred_at: number;
  key: string;
  source: string;
  traceparent?: string;
  data: Data;
}

/** The data type of an event definition. */
export type DataOf<D extends EventDefinition> = Static<D['data']>;

/** The record type of an event definition. */
export type RecordOf<D extends EventDefinition> =
  D extends EventDefinition<infer Name, infer Data> ? Envelope<Static<Data>> & { type: Name } : never;

/** JSON Schema of a whole record, as published in `libs/messages/schemas` and AsyncAPI. */
export function recordSchema(definition: EventDefinition): Record<string, unknown> {
  return publishedForm(wholeSchema(definition));
}

function wholeSchema(definition: EventDefinition): TObject<TProperties> {
  return Type.Object(
    { ...envelopeProperties, type: Type.Literal(definition.type), data: definition.data },
    {
      $id: `${definition.type}.v${definition.schemaVersion}`,
      description: definition.summary,
      'x-idempotency-key': definition.idempotencyKey,
    },
  );
}

const checks = new Map<EventDefinition, TypeCheck<TObject<TProperties>>>();

function checkOf(definition: EventDefinition): TypeCheck<TObject<TProperties>> {
  let check = checks.get(definition);
  if (!check) checks.set(definition, (check = TypeCompiler.Compile(checkedForm(wholeSchema(definition)))));
  return check;
}

/** The first error; of a text whose characters are counted the last one, because its first one counts UTF-16 units. */
function firstError(check: TypeCheck<TObject<TProperties>>, value: unknown): ValueError | undefined {
  const first = check.Errors(value).First();
  return first?.type === ValueErrorType.Union && isCounted(first.schema) ? [...first.errors[0]].at(-1) : first;
}

/** The result of decoding: the typed record, or the reason why the bytes are invalid (never an exception). */
export type Decoded<R> = { ok: true; record: R } | { ok: false; reason: string };

/** Decodes a record as one of the given event types; unknown extra fields are preserved, as newer producers add them. */
export function decodeRecord<D extends EventDefinition>(
  definitions: readonly D[],
  bytes: Uint8Array | null,
): Decoded<RecordOf<D>> {
  if (bytes === null) return { ok: false, reason: 'the record has no value' };
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch {
    return { ok: false, reason: 'the value is not JSON' };
  }
  const type = (value as { type?: unknown } | null)?.type;
  const definition = definitions.find((candidate) => candidate.type === type);
  if (!definition) return { ok: false, reason: `unknown event type ${shownType(type)}` };
  const check = checkOf(definition);
  try {
    if (check.Check(value)) return { ok: true, record: value as unknown as RecordOf<D> };
    const first = firstError(check, value);
    return { ok: false, reason: `${first?.path ?? ''}: ${first?.message ?? 'does not match the schema'}` };
  } catch (error) {
    // JSON.parse accepts any depth, at which a check that recurses overflows the stack.
    return { ok: false, reason: `the value cannot be checked: ${String(error).slice(0, 100)}` };
  }
}

/** A foreign value that should be a name; only texts are shown, because other values can be of any size and depth. */
function shownType(type: unknown): string {
  return typeof type === 'string' ? JSON.stringify(type.slice(0, 100)) : `(${type === null ? 'null' : typeof type})`;
}

/** Creates a record; throws on data that violates its schema, so that a producer's mistake stops at the producer. */
export function encodeRecord<D extends EventDefinition>(
  definition: D,
  record: Omit<Envelope<DataOf<D>>, 'type' | 'schema_version'>,
): Buffer {
  return Buffer.from(JSON.stringify(checkedRecord(definition, record)));
}

/** Throws on data that violates the schema of its record, as `encodeRecord` would once the record leaves. */
export function requireRecordData<D extends EventDefinition>(definition: D, key: string, data: DataOf<D>): void {
  checkedRecord(definition, { id: 'outbox', revision: 0, occurred_at: 0, key, source: 'outbox', data });
}

function checkedRecord<D extends EventDefinition>(
  definition: D,
  record: Omit<Envelope<DataOf<D>>, 'type' | 'schema_version'>,
): Envelope<DataOf<D>> {
  // The spread object is last: V8 takes microseconds to add fields to a copied object, and this runs for every event.
  const value = { type: definition.type, schema_version: definition.schemaVersion, ...record };
  const check = checkOf(definition);
  if (check.Check(value)) return value as Envelope<DataOf<D>>;
  const first = firstError(check, value);
  throw new TypeError(`${definition.type} ${first?.path}: ${first?.message}`);
}
