/**
 * Whether objects and arrays are nested deeper than `depth` levels; a text or a number has none. Iterates level by level,
 * because `JSON.parse` accepts values at which recursion, also that of `JSON.stringify`, overflows the stack.
 */
export function isNestedDeeperThan(value: unknown, depth: number): boolean {
  let level = [value].filter(isNested);
  for (let at = 0; level.length > 0; at++) {
    if (at === depth) return true;
    level = level.flatMap((each) => Object.values(each).filter(isNested));
  }
  return false;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
