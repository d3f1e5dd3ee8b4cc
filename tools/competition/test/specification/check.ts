import { parseUrl } from '@podium/runtime/url';
import { Field, Fields, Leaf, Shape, Value } from './shape';

/** Findings over all replies. */
export class SpecificationCheck {
  /** Deviations from the specification, with the requested address; the first few of each kind. */
  readonly faults = new Map<string, string>();
  /** Fields that some reply had, and those that had content. */
  private readonly seen = new Map<string, { present: boolean; filled: boolean }>();
  private address = '';

  /** Checks one reply. */
  read(reply: Shape, body: unknown, address: string): void {
    this.address = address;
    this.value(reply, body, address.split('?')[0].split('/')[1]);
  }

  /** Fields, by resource, that are missing from every reply, or always empty without a declared reason. */
  unseen(): string[] {
    return [...this.seen].flatMap(([path, { present, filled }]) =>
      present && filled ? [] : [`${path}: ${present ? 'always empty' : 'in no reply'}`],
    );
  }

  private value(value: Value, found: unknown, path: string): boolean {
    if (typeof value === 'string') return this.leaf(value, found, path);
    if ('list' in value) {
      if (!Array.isArray(found)) return this.fault(path, 'an array', found);
      for (const item of found) this.value(value.list, item, `${path}[]`);
      return found.length > 0;
    }
    if (!isObject(found)) return this.fault(path, 'an object', found);
    if ('map' in value) {
      for (const item of Object.values(found)) this.value(value.map, item, `${path}.*`);
      return Object.keys(found).length > 0;
    }
    this.fields(value.fields, found, value.name ?? path);
    return Object.keys(found).length > 0;
  }

  private fields(fields: Fields, found: Readonly<Record<string, unknown>>, path: string): void {
    for (const [name, field] of Object.entries(fields)) {
      const at = `${path}.${name}`;
      const seen = this.seen.get(at) ?? { present: false, filled: isEmptyByDesign(field) };
      this.seen.set(at, seen);
      if (!Object.hasOwn(found, name)) {
        if (!isOptional(field)) this.fault(at, 'there', undefined);
        continue;
      }
      seen.present = true;
      if (this.value(valueOf(field), found[name], at)) seen.filled = true;
    }
  }

  private leaf(leaf: Leaf, found: unknown, path: string): boolean {
    if (!checks[leaf](found)) return this.fault(path, leaf, found);
    return found !== '';
  }

  private fault(path: string, expected: string, found: unknown): boolean {
    const text = `${path}: not ${expected}`;
    if (!this.faults.has(text)) this.faults.set(text, `${this.address}: ${JSON.stringify(found)?.slice(0, 120)}`);
    return false;
  }
}

function isOptional(field: Field): boolean {
  return typeof field === 'object' && 'sometimes' in field;
}

function isEmptyByDesign(field: Field): boolean {
  return typeof field === 'object' && 'empty' in field;
}

function valueOf(field: Field): Value {
  if (typeof field === 'string') return field;
  if ('sometimes' in field) return field.sometimes;
  return 'empty' in field ? field.empty : field;
}

const checks: Readonly<Record<Leaf, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: Number.isSafeInteger,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  anything: () => true,
  null: (value) => value === null,
  'date-time': (value) => isText(value, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/),
  url: (value) => value === '' || (typeof value === 'string' && parseUrl(value) !== null),
  uuid: isUuid,
  'uuid or empty': (value) => value === '' || isUuid(value),
  'match id': (value) => typeof value === 'string' && value.startsWith('1-') && isUuid(value.slice(2)),
  hex24: (value) => isText(value, /^[0-9a-f]{24}$/),
  seconds: (value) => isWithin(value, 1e9, 1e10),
  'seconds or 0': (value) => value === 0 || isWithin(value, 1e9, 1e10),
  milliseconds: (value) => isWithin(value, 1e12, 1e13),
};

function isUuid(value: unknown): boolean {
  return isText(value, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
}

function isText(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value);
}

function isWithin(value: unknown, from: number, below: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= from && Number(value) < below;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
