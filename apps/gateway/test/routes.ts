/** The gateway's routes and the connections of their groups, for specs of several services. */
export { routes } from '../src/routes/route-table';
export { groupLimits } from '../src/proxy/group-limits';
