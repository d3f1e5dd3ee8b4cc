export { batchError } from './batch-error';
export * from './newest-states';
export * from './positions.store';
