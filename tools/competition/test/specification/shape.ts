/**
 * Data types for the specification's resources: the content of each field in the words of the specification, and its
 * format where the design defines one (identifiers, units of time, addresses).
 */
export type Leaf =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  /** A value of a free-form map. */
  | 'anything'
  /** Null in the shape of the specification. */
  | 'null'
  /** ISO 8601. */
  | 'date-time'
  /** An address, or empty. */
  | 'url'
  | 'uuid'
  /** A UUID, or empty where there is none. */
  | 'uuid or empty'
  /** `1-` and a UUID. */
  | 'match id'
  /** 24 hexadecimal digits. */
  | 'hex24'
  /** Unix seconds. */
  | 'seconds'
  /** Unix seconds, or 0 without such a time. */
  | 'seconds or 0'
  /** Unix milliseconds. */
  | 'milliseconds';

/** The content of a field. */
export type Value = Leaf | ListOf | MapOf | Shape;

/** An array. */
export interface ListOf {
  readonly list: Value;
}

/** An object with arbitrary keys. */
export interface MapOf {
  readonly map: Value;
}

/** An object; with a name it is the same resource in every position. */
export interface Shape {
  readonly name?: string;
  readonly fields: Fields;
}

/** The fields of an object. */
export type Fields = Readonly<Record<string, Field>>;

/** A field that every document has, or one with the reason why some lack it. */
export type Field = Value | Sometimes | Empty;

/** A field that some documents lack. */
export interface Sometimes {
  readonly sometimes: Value;
  readonly because: string;
}

/** A field that has no content in any document: an empty text, list or map. */
export interface Empty {
  readonly empty: Value;
  readonly because: string;
}

/** An array of values. */
export function list(value: Value): ListOf {
  return { list: value };
}

/** An object with arbitrary keys, all of whose values are of one kind. */
export function map(value: Value): MapOf {
  return { map: value };
}

/** An object without a name. */
export function object(fields: Fields): Shape {
  return { fields };
}

/** A resource of the specification. */
export function resource(name: string, fields: Fields): Shape {
  return { name, fields };
}

/** Marks a field that some documents do not have. */
export function sometimes(value: Value, because: string): Sometimes {
  return { sometimes: value, because };
}

/** Marks a field that is empty in every document. */
export function empty(value: Value, because: string): Empty {
  return { empty: value, because };
}

export const strings = list('string');
export const urls = list('url');

export const whereAsked = 'only where expanded asks for it';
export const notSet = 'omitted while it is not set';
export const notPlayed = 'omitted until the match has come so far';
