/** Writes one element at a place of the buffer, which has room for it; null: it has no such form. */
interface ElementType {
  /** pg_type.oid, which the server compares with the type of the parameter. */
  readonly oid: number;
  /** The most bytes that a value takes. */
  sizeOf(value: unknown): number | null;
  /** Returns the place after the element. */
  write(buffer: Buffer, at: number, value: unknown): number;
}

const jsonbVersion = 1;

const text: ElementType = {
  oid: 25,
  sizeOf: (value) => (typeof value === 'string' ? value.length * 3 : null),
  write: (buffer, at, value) => writeText(buffer, at, value as string),
};

const elementTypes: Readonly<Record<string, ElementType | undefined>> = {
  text,
  jsonb: {
    oid: 3802,
    sizeOf: (value) => (typeof value === 'string' ? value.length * 3 + 1 : null),
    write: (buffer, at, value) => {
      buffer[at] = jsonbVersion;
      return writeText(buffer, at + 1, value as string);
    },
  },
  bytea: {
    oid: 17,
    sizeOf: (value) => (value instanceof Uint8Array ? value.length : null),
    write: (buffer, at, value) => {
      buffer.set(value as Uint8Array, at);
      return at + (value as Uint8Array).length;
    },
  },
  bigint: {
    oid: 20,
    sizeOf: (value) => (Number.isSafeInteger(value) ? 8 : null),
    write: (buffer, at, value) => {
      const high = Math.floor((value as number) / 2 ** 32);
      buffer.writeInt32BE(high, at);
      return buffer.writeUInt32BE((value as number) - high * 2 ** 32, at + 4);
    },
  },
  int: {
    oid: 23,
    sizeOf: (value) => (Number.isSafeInteger(value) && ((value as number) | 0) === value ? 4 : null),
    write: (buffer, at, value) => buffer.writeInt32BE(value as number, at),
  },
  uuid: {
    oid: 2950,
    sizeOf: (value) => (typeof value === 'string' && uuidPattern.test(value) ? 16 : null),
    write: (buffer, at, value) => at + buffer.write((value as string).replaceAll('-', ''), at, 'hex'),
  },
  boolean: {
    oid: 16,
    sizeOf: (value) => (typeof value === 'boolean' ? 1 : null),
    write: (buffer, at, value) => buffer.writeUInt8(value === true ? 1 : 0, at),
  },
};

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const usePattern = /\$(\d+)(?:::(\w+)(\[\])?)?/g;
const synonyms: Readonly<Record<string, string | undefined>> = { integer: 'int', int4: 'int', int8: 'bigint' };

/** By statement: the element types of its parameters that are cast to arrays; statements are few and constant. */
const known = new Map<string, readonly (ElementType | undefined)[]>();
const mostKnown = 1_000;

/**
 * The parameters of a statement with its arrays in the binary form. As text each element is escaped, and parsed by the server.
 * An array stays as it is where its parameter is not cast to an array everywhere in the statement (`$1::text[]`), or where an
 * element has no such form: the server then says what is wrong with it.
 */
export function withBinaryArrays(statement: string, values: readonly unknown[]): unknown[] {
  if (!values.some(Array.isArray)) return [...values];
  let types = known.get(statement);
  if (!types) {
    if (known.size >= mostKnown) known.clear();
    known.set(statement, (types = elementTypesOf(statement)));
  }
  return values.map((value, at) => {
    const type = types[at];
    return type && Array.isArray(value) ? (binaryArray(type, value) ?? value) : value;
  });
}

function elementTypesOf(statement: string): (ElementType | undefined)[] {
  const types: (ElementType | undefined)[] = [];
  const seen = new Set<number>();
  for (const [, place, name, brackets] of statement.matchAll(usePattern)) {
    const at = Number(place) - 1;
    const type = brackets ? elementTypes[synonyms[name] ?? name] : undefined;
    // A use without a cast too: the server gives a parameter the type of the use that it parses first, not of the first in the text.
    types[at] = !seen.has(at) || types[at] === type ? type : undefined;
    seen.add(at);
  }
  return types;
}

const headerBytes = 20;
const nullLength = -1;

/** See array_recv of Postgres: dimensions, flags, element type, then length and lower bound, then each with its length. */
function binaryArray(type: ElementType, values: readonly unknown[]): Buffer | null {
  let size = headerBytes + 4 * values.length;
  let hasNull = 0;
  for (const value of values) {
    if (isNull(value)) hasNull = 1;
    else {
      const most = type.sizeOf(value);
      if (most === null) return null;
      size += most;
    }
  }
  const buffer = Buffer.allocUnsafe(size);
  buffer.writeInt32BE(values.length === 0 ? 0 : 1, 0);
  buffer.writeInt32BE(hasNull, 4);
  buffer.writeInt32BE(type.oid, 8);
  if (values.length === 0) return buffer.subarray(0, 12);
  buffer.writeInt32BE(values.length, 12);
  buffer.writeInt32BE(1, 16);
  let at = headerBytes;
  for (const value of values) {
    if (isNull(value)) at = buffer.writeInt32BE(nullLength, at);
    else {
      const end = type.write(buffer, at + 4, value);
      buffer.writeInt32BE(end - at - 4, at);
      at = end;
    }
  }
  return buffer.subarray(0, at);
}

function isNull(value: unknown): boolean {
  return value === null || value === undefined;
}

/** Most texts are short and of ASCII: a loop is faster than a call. */
const mostLooped = 40;

function writeText(buffer: Buffer, at: number, value: string): number {
  const { length } = value;
  if (length > mostLooped) return at + buffer.write(value, at);
  for (let i = 0; i < length; i++) {
    const code = value.charCodeAt(i);
    if (code > 0x7f) return at + buffer.write(value, at);
    buffer[at + i] = code;
  }
  return at + length;
}
