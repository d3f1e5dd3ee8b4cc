export * from './http-spans';
export * from './spans';
export * from './tracing';
export * from './traceparent';
