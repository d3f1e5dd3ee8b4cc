// The names of the package; all of them are also its default export, as Node gives them for dist/index.js.
export * from '../src/index.ts';
export * as default from '../src/index.ts';
