/** How many calls of partners wait at most, for specs of several services. */
export { waitsMax } from '../src/partner-client/partner-room';
