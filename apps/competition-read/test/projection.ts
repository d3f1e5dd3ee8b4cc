/** What documents become in the tables, for specs of worlds and journeys. */
export { globalBoard, leaderboardBoard, leagueBoard } from '../src/projection/boards';
export type { ListName } from '../src/projection/lists';
export { contentOf, project } from '../src/projection/project';
export { tablesOf } from '../src/projection/table-set';
export type { TableSet } from '../src/projection/table-set';
