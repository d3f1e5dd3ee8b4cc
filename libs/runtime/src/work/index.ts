export { BatchLimit } from './batch-limit';
