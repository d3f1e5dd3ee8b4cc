import type { TypeClass } from '../projection/type-class';
import type { Parameter } from './parameter';
import { oneOf } from './query-parameters';

/** Which competitions or matches, by how far they are. */
export function typeFilter(what: string): Parameter<'all' | TypeClass> {
  return oneOf(['all', 'upcoming', 'ongoing', 'past'], 'all', `Which ${what}, by how far they are`);
}

/** The filter of a list that stands for a type. */
export function filterOf(type: 'all' | TypeClass): string {
  return type === 'all' ? '' : type;
}
