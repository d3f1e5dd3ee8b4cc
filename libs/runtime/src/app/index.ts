export * from './composed-app';
export * from './create-application';
export * from './http-adapter';
export * from './lifecycle';
export * from './periodic-task';
export * from './run-app';
export * from './stop-order';
export * from './unless-stopping';
