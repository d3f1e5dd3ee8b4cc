/** The projection of documents, for specs in other folders. */
export { globalBoard, leaderboardBoard, leagueBoard } from '../src/rankings/boards';
export type { ListName } from '../src/projection/lists';
export { contentOf, project } from '../src/projection/project';
export { tablesOf } from '../src/table-sets/table-set';
export type { TableSet } from '../src/table-sets/table-set';
