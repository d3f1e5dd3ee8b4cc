const idDigits = 4;
const idBits = 4 * idDigits;
const highestScore = 2 ** 31 - 1;

/** Width of a rank key; keys are safe integers. */
export const rankKeyBits = 32 + idBits;

/**
 * The sort key of an entry: (rankKey, playerId) ascending, ids by their UTF-8 bytes, is the same order as score
 * descending, then playerId. The first digits of the id in the key spread equal scores, so that a million players with
 * one score are counted in parts like any others. `score` is a 32-bit signed integer.
 */
export function rankKeyOf(score: number, playerId: string): number {
  return (highestScore - score) * 2 ** idBits + idStart(playerId);
}

/**
 * The first hex digits of an id as a number that never decreases from an id to a greater one. UUIDs spread evenly. At the
 * first character that is not a lower-case hex digit, or at the end, it uses the lowest number that keeps the order. Equal
 * numbers are correct: the id itself then decides the order.
 */
function idStart(playerId: string): number {
  let start = 0;
  for (let index = 0; index < idDigits; index++) {
    const left = 16 ** (idDigits - 1 - index);
    const code = playerId.charCodeAt(index);
    if (code >= 0x30 && code <= 0x39) start += (code - 0x30) * left;
    else if (code >= 0x61 && code <= 0x66) start += (code - 0x61 + 10) * left;
    else if (code > 0x66) return start + 16 * left - 1;
    else if (code > 0x39) return start + 10 * left;
    else return start;
  }
  return start;
}
