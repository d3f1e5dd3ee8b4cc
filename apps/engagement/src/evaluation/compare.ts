import { CompareOp } from './condition';

/**
 * Makes the test of a left side from an operator and its right side; both sides have the same type. Throws for an operator that
 * only another release has.
 */
export function compareWith<Value extends bigint | number | string | boolean>(
  op: CompareOp,
  right: Value,
): (left: Value) => boolean {
  switch (op) {
    case 'eq':
      return (left) => left === right;
    case 'ne':
      return (left) => left !== right;
    case 'lt':
      return (left) => left < right;
    case 'lte':
      return (left) => left <= right;
    case 'gt':
      return (left) => left > right;
    case 'gte':
      return (left) => left >= right;
    default:
      throw new TypeError(`this release does not have the published comparison ${String(op)}`);
  }
}
