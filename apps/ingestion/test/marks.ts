/** The marks of handled events, for specs of Redis. */
export { identityOf } from '../src/dedup/event-identity';
export type { EventIdentity } from '../src/dedup/event-identity';
export { EventMarks } from '../src/dedup/event-marks';
