/** The marks of handled events, for specs of Redis. */
export { identityOf } from '../src/dedup/event-identity';
export type { EventIdentity } from '../src/dedup/event-identity';
export { EventMarks } from '../src/dedup/event-marks';
export { MarkGeneration } from '../src/dedup/mark-generation';

/** A generation of marks that never changes, for specs without Postgres. */
export const onlyGeneration = { known: (): string => '', inForce: (): Promise<string> => Promise.resolve('') };
