export { BatchLimit } from './batch-limit';
export { untilAny } from './until-any';
