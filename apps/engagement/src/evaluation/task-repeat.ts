import { CompiledTask } from './compiled-definition';
import { toBillionths } from './exact-decimal';
import { TermValue } from './terms';

/**
 * How many times a task is paid in total when the terms of its goal have these values. A task that repeats is paid once at the
 * goal's value and again for every further step, up to its limit per user; a task that does not repeat is paid once.
 */
export function occurrencesAt(task: CompiledTask, values: readonly TermValue[]): number {
  const { repeat, terms } = task;
  if (repeat.kind === 'once') return task.holds(values) ? 1 : 0;
  const total = terms[0].measure === 'sum' ? values[0].sum : toBillionths(String(values[0].count));
  if (total < repeat.first) return 0;
  const occurrences = (total - repeat.first) / repeat.step + 1n;
  const max = maxOccurrencesOf(task);
  return occurrences > BigInt(max) ? max : Number(occurrences);
}

/** The most occurrences of a task that are paid to one user. */
export function maxOccurrencesOf({ repeat, maxOccurrences }: CompiledTask): number {
  return repeat.kind === 'once' ? Math.min(1, maxOccurrences) : maxOccurrences;
}

/** The name of the n-th occurrence, part of the award's id: `g1:once`, `g1:every:7`. */
export function occurrenceKey({ generation, repeat }: CompiledTask, n: number): string {
  return repeat.kind === 'once' ? `g${generation}:once` : `g${generation}:every:${n}`;
}
