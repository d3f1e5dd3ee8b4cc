/** The limits of concurrent waits on partners, for specs of several services. */
export { waitsMax } from '../src/partner-client/partner-waits';
