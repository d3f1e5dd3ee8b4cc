/** The gateway's limits, for specs of Redis. */
export { perSecond } from '../src/limits/gcra';
export { InstanceCount } from '../src/limits/instance-count';
export { LocalShare } from '../src/limits/local-share';
export { OneAtATime } from '../src/limits/one-at-a-time';
export { RateLimiter } from '../src/limits/rate-limiter';
