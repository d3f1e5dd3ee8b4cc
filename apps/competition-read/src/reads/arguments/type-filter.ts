import type { TypeClass } from '../../projection/type-class';
import type { Parameter } from './parameter';
import { oneOf } from './query-parameters';

/** The argument `type`: competitions or matches by their state. */
export function typeFilter(what: string): Parameter<'all' | TypeClass> {
  return oneOf(['all', 'upcoming', 'ongoing', 'past'], 'all', `Only ${what} in this state`);
}

/** The filter of a list for a type. */
export function filterOf(type: 'all' | TypeClass): string {
  return type === 'all' ? '' : type;
}
