/** The marks of handled events, for specs of the Redis that keeps them. */
export { identityOf } from '../src/dedup/event-identity';
export type { EventIdentity } from '../src/dedup/event-identity';
export { EventMarks } from '../src/dedup/event-marks';
