export * from './create-log';
export * from './nest-log';
