export { BatchLimit } from './batch-limit';
export { type Clocks, systemClocks } from './clocks';
export { untilAny } from './until-any';
