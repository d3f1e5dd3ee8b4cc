export * from './error-message';
export * from './log';
export * from './nest-log';
