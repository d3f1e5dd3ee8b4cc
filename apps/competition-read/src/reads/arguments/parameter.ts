import { CodedError } from '@podium/messages';

/** JSON Schema of an argument in OpenAPI. */
export interface ParameterSchema {
  readonly type: 'string' | 'integer' | 'boolean' | 'array';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly default?: string | number | boolean;
  readonly items?: ParameterSchema;
  readonly uniqueItems?: boolean;
}

/** A declared argument of a read: how it is parsed, and how OpenAPI describes it. */
export interface Parameter<Value = unknown> {
  readonly description: string;
  readonly required: boolean;
  readonly schema: ParameterSchema;
  readonly example?: string | number;
  /** The value of an omitted argument; not used for a required one. */
  readonly fallback: Value;
  /** Parses the decoded texts, at least one; throws a coded error that names the parameter. */
  read(name: string, texts: readonly string[]): Value;
}

/** Declared arguments by name. */
export type Parameters = Readonly<Record<string, Parameter>>;

/** The values of declared arguments. */
export type ArgsOf<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer V> ? V : never;
};

/** Refuses an argument: 400 that names the parameter. */
export function refuseArgument(name: string, problem: string): never {
  throw new CodedError('invalid_request', { message: `${name}: ${problem}`, parameters: [name] });
}

/** The text of an argument that may be given only once; throws 400 for a repeated one. */
export function onlyText(name: string, texts: readonly string[]): string {
  if (texts.length > 1) refuseArgument(name, 'must be given only once');
  return texts[0];
}

/** Whether Postgres can store a text: it has no NUL and no unpaired surrogate. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** A whole number as plain decimal digits inside bounds, both inclusive, or null. */
export function wholeNumber(text: string, min: number, max: number): number | null {
  if (text.length > 16 || !/^(0|[1-9][0-9]*)$/.test(text)) return null;
  const value = Number(text);
  return value >= min && value <= max ? value : null;
}
