export * from './http-spans';
export * from './kafka-trace-headers';
export * from './spans';
export * from './traceparent';
export * from './tracing';
