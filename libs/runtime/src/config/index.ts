export * from './config';
export * from './fields';
export * from './live-secret';
export * from './production-rules';
export * from './service-fields';
