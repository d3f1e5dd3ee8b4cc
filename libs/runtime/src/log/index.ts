export * from './log';
export * from './nest-log';
