/** The most awards of one user for one task. */
export const occurrenceLimit = 100_000;
