export * from './config';
export * from './fields';
export * from './service-fields';
