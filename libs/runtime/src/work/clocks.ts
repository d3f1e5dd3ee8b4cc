/**
 * The two clocks of a process, in milliseconds. They have different origins and are never compared: the time of day may be set
 * while something waits.
 */
export interface Clocks {
  /** Unix milliseconds, for what is stored or sent to others. */
  timeOfDay(): number;
  /** From any origin, and never set: for deadlines and waits. */
  monotonic(): number;
}

export const systemClocks: Clocks = { timeOfDay: () => Date.now(), monotonic: () => performance.now() };
