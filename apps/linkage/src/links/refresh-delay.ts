const firstS = 10;
const longestS = 3600;

/**
 * Seconds until background work sends a refresh token again: doubled with each time that it was sent, at least what the
 * partner asks for, and up to half as long again at random, so that links that failed together do not return together.
 */
export function refreshDelayS(
  sentBefore: number,
  retryAfterS: number | undefined,
  random: () => number = Math.random,
): number {
  const delayS = Math.min(firstS * 2 ** Math.min(sentBefore, 20), longestS);
  return Math.max(delayS, retryAfterS ?? 0) * (1 + random() / 2);
}
