import { CodedError } from '@podium/messages';

/** The error for a body of invalid form; `path` names the place, for example `goal.all[0].count.where[1].value`. */
export function malformed(path: string, sentence: string): CodedError {
  return new CodedError('invalid_request', { message: `${path}: ${sentence}` });
}

/** The error for a body of valid form that cannot be executed: not negotiated, or not supported. */
export function refused(path: string, sentence: string): CodedError {
  return new CodedError('unprocessable', { message: `${path}: ${sentence}` });
}

/** The fields of an object that has no others than these; throws otherwise. */
export function fieldsOf(value: unknown, path: string, allowed: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed(path, 'must be an object');
  const extra = Object.keys(value).find((field) => !allowed.includes(field));
  if (extra !== undefined)
    throw malformed(`${path}.${extra.slice(0, 64)}`, `is unknown; known fields are ${allowed.join(', ')}`);
  return value as Record<string, unknown>;
}

/** A list of 1 to `max` entries; throws otherwise. */
export function listOf(value: unknown, path: string, max: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > max)
    throw malformed(path, `must be a list of 1 to ${max} entries`);
  return value;
}

/** One of a closed list of texts; throws otherwise. */
export function choiceOf<Choice extends string>(value: unknown, path: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((candidate) => candidate === value);
  if (choice === undefined) throw malformed(path, `must be one of ${choices.join(', ')}`);
  return choice;
}
