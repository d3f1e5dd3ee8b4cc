export * from './parse-url';
