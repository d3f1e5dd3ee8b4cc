const fs = require('node:fs');
const path = require('node:path');

/** Names of installed packages that ship ES modules only: jest on Node 20 loads them compiled to CommonJS. */
function esmPackages(root, found = new Set()) {
  if (!fs.existsSync(root)) return found;
  for (const entry of fs.readdirSync(root)) {
    if (
      entry.startsWith('.') ||
      entry === '@rspack' ||
      entry === '@swc' ||
      entry === '@jest' ||
      entry.startsWith('jest')
    )
      continue;
    const dir = path.join(root, entry);
    if (entry.startsWith('@')) {
      esmPackages(dir, found);
      continue;
    }
    const manifest = path.join(dir, 'package.json');
    if (!fs.existsSync(manifest)) continue;
    const { name, type } = JSON.parse(fs.readFileSync(manifest, 'utf8'));
    if (type === 'module' && name) found.add(name);
    esmPackages(path.join(dir, 'node_modules'), found);
  }
  return found;
}

/** CommonJS packages that call import(), which jest's own modules do not offer without a flag. */
const importing = ['@opentelemetry/otlp-exporter-base'];

const names = [...esmPackages(path.join(__dirname, 'node_modules')), ...importing].map((name) =>
  name.replace('/', '\\/'),
);

/** @type {import('jest').Config} */
module.exports = {
  rootDir: __dirname,
  testEnvironment: '<rootDir>/tools/test/spec-environment.ts',
  testMatch: ['<rootDir>/{apps,k8s,libs,tools,docs,sdk,bench}/**/*.spec.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/sdk/typescript/(dist|node_modules)', '<rootDir>/.stack'],
  transform: {
    '^.+\\.(t|j|mj)s$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          target: 'es2023',
          keepClassNames: true,
        },
        module: { type: 'commonjs', ignoreDynamic: false },
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(?:.*/node_modules/)?(?:${names.join('|')})/)`],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json', 'node'],
  moduleNameMapper: {
    '^@podium/messages$': '<rootDir>/libs/messages/src/index.ts',
    '^@podium/messages/(.*)$': '<rootDir>/libs/messages/src/$1',
    '^@podium/partner-check$': '<rootDir>/libs/partner-check/src/index.ts',
    '^@podium/partner-check/(.*)$': '<rootDir>/libs/partner-check/src/$1',
    '^@podium/runtime/(.*)$': '<rootDir>/libs/runtime/src/$1',
    '^@podium/simulated-partner$': '<rootDir>/libs/simulated-partner/src/index.ts',
    '^@podium/simulated-partner/(.*)$': '<rootDir>/libs/simulated-partner/src/$1',
    '^@podium/testing$': '<rootDir>/libs/testing/src/index.ts',
    '^@podium/testing/(.*)$': '<rootDir>/libs/testing/src/$1',
  },
  testTimeout: 30000,
  testSequencer: '<rootDir>/tools/test/slowest-first.cjs',
  reporters: ['default', '<rootDir>/tools/test/forced-exit-reporter.cjs'],
  // A busy machine must not make a worker that ends by itself one that was ended by force, which fails the run.
  workerGracefulExitTimeout: 20000,
};
