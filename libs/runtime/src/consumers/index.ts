export { batchError } from './batch-error';
export { columnsOf } from './columns-of';
export * from './newest-states';
export * from './positions.store';
