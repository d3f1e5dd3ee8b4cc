export * from './changes';
export * from './json-text';
export * from './kinds';
export * from './public-name';
export * from './shapes';
export { columnLengths } from './shapes/fields';
