export * from './config';
export * from './fields';
export * from './live-secret';
export * from './service-fields';
