import { Static, TSchema } from '@sinclair/typebox';
import { randomUUID } from 'node:crypto';
import { jsonText } from './json-text';

/**
 * The service's public name is a setting and a prefix of field names (`platform_url`, `platform_elo`, `platform_points`). A
 * document is stored as a text in which a byte that JSON cannot contain replaces the prefix; serving inserts the name.
 */
export const publicNameMark = '\u0001';

const specifiedPrefix = 'platform_';
/** Placeholder of the prefix during encoding; unknown outside of the process, so no document can contain it. */
const token = `podium-${randomUUID()}-`;

/** The marked fields below a schema; subtrees without any have no plan. */
interface Plan {
  /** Declared fields. */
  readonly fields: ReadonlyMap<string, FieldPlan>;
  /** Values of undeclared keys. */
  readonly others: Plan | null;
  /** Items, where the value is an array. */
  readonly items: Plan | null;
}

interface FieldPlan {
  /** The field's name during encoding. */
  readonly name: string;
  readonly below: Plan | null;
}

const plans = new WeakMap<TSchema, { plan: Plan | null }>();

/**
 * Encodes a value for storage: JSON in which every field that the schema declares with the service's name as prefix is
 * marked. Undeclared fields and keys of free maps stay unchanged, whatever their name.
 */
export function storedText<S extends TSchema>(schema: S, value: Static<S>): string {
  const plan = planOf(schema);
  if (plan === null) return jsonText(value);
  return jsonText(renamed(plan, value)).replaceAll(token, publicNameMark);
}

/** Decodes a stored text for serving: marked fields begin with the public name, such as `acme_url`. */
export function servedText(text: string, publicName: string): string {
  return text.replaceAll(publicNameMark, `${publicName}_`);
}

// Copies field by field: V8 is slower to change fields of a spread copy, and this runs for every document.
function renamed(plan: Plan, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const { items } = plan;
    return items === null ? value : value.map((item) => renamed(items, item));
  }
  const copy: Record<string, unknown> = {};
  for (const [key, content] of Object.entries(value)) {
    const field = plan.fields.get(key);
    const below = field ? field.below : plan.others;
    const renamedContent = below === null ? content : renamed(below, content);
    // An assignment would set the prototype instead of a field of this name.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: renamedContent, enumerable: true });
    else copy[field ? field.name : key] = renamedContent;
  }
  return copy;
}

function planOf(schema: TSchema): Plan | null {
  let known = plans.get(schema);
  if (!known) plans.set(schema, (known = { plan: compile(schema) }));
  return known.plan;
}

function compile(schema: TSchema): Plan | null {
  const fields = new Map<string, FieldPlan>();
  for (const [key, field] of Object.entries((schema.properties ?? {}) as Record<string, TSchema>)) {
    const name = key.startsWith(specifiedPrefix) ? token + key.slice(specifiedPrefix.length) : key;
    fields.set(key, { name, below: planOf(field) });
  }
  const own: Plan = {
    fields,
    others: planOfAny([...Object.values((schema.patternProperties ?? {}) as object), schema.additionalProperties]),
    items: planOfAny([schema.items].flat()),
  };
  return merged([own, planOfAny([schema.anyOf, schema.allOf].flat())]);
}

/** One plan for a value that may match any of the schemas; entries that are not schemas (a flag, undefined) are ignored. */
function planOfAny(schemas: unknown[]): Plan | null {
  return merged(schemas.filter((schema) => typeof schema === 'object').map((schema) => planOf(schema as TSchema)));
}

function merged(all: (Plan | null)[]): Plan | null {
  const [first, ...rest] = all.filter((plan) => plan !== null);
  if (!first) return null;
  const plan = rest.reduce(mergedPair, first);
  const marks = [...plan.fields].some(([key, { name, below }]) => name !== key || below !== null);
  return marks || plan.others || plan.items ? plan : null;
}

function mergedPair(a: Plan, b: Plan): Plan {
  const fields = new Map(a.fields);
  for (const [key, { name, below }] of b.fields)
    fields.set(key, { name, below: merged([below, a.fields.get(key)?.below ?? null]) });
  return { fields, others: merged([a.others, b.others]), items: merged([a.items, b.items]) };
}
