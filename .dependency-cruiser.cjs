/** The laws of the graph (ARCHITECTURE.md, "Laws"); the baseline is empty: a violation is mended, not listed. */
const spec = '(\\.spec\\.ts$|^apps/[^/]+/test/)';
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'app-imports-libs-only',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^(apps|tools|e2e|bench)/', pathNot: '^apps/$1/' },
    },
    {
      name: 'messages-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^libs/messages/', pathNot: spec },
      to: { path: '^(apps|tools|libs/(runtime|testing))/' },
    },
    {
      name: 'runtime-imports-messages-only',
      severity: 'error',
      from: { path: '^libs/runtime/', pathNot: spec },
      to: { path: '^(apps|tools|libs/testing)/' },
    },
    {
      name: 'testing-is-for-tests',
      severity: 'error',
      from: {
        path: '^(apps|libs|tools)/',
        pathNot: [spec, '^libs/testing/', '^tools/(stack|test)/', '^tools/[^/]+/test/'],
      },
      to: { path: '^libs/testing/' },
    },
    {
      name: 'only-runtime-kafka-sees-the-client',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: ['^libs/runtime/src/kafka/', spec, '^libs/testing/'] },
      to: { path: 'node_modules/kafkajs' },
    },
    {
      name: 'sql-client-stays-in-runtime-postgres',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: ['^libs/runtime/src/postgres/', spec, '^libs/testing/'] },
      to: { path: 'node_modules/pg(-copy-streams)?/', dependencyTypesNot: ['type-only'] },
    },
    {
      // Tests, fault runs and measurements must not depend on what somebody has in a file.
      name: 'only-the-local-stack-reads-dot-env',
      severity: 'error',
      from: { pathNot: ['^tools/stack/(start|stack)\\.ts$', '^tools/stack/settings/'] },
      to: { path: '^tools/stack/settings/(local-settings|dot-env)\\.ts$' },
    },
    {
      name: 'the-local-stack-is-started-by-its-command',
      severity: 'error',
      from: {},
      to: { path: '^tools/stack/(start|stack)\\.ts$' },
    },
    { name: 'not-to-spec', severity: 'error', from: { pathNot: spec }, to: { path: spec } },
    {
      name: 'no-dev-dependency-in-apps',
      severity: 'error',
      from: { path: '^(apps/(?!sandbox)|libs/(messages|runtime))', pathNot: spec },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'] },
  },
};
