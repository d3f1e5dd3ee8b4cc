/** The dependency rules of ARCHITECTURE.md. The baseline is empty: a violation is fixed, not listed. */
const spec = '(\\.spec\\.ts$|^apps/[^/]+/test/|^sdk/[^/]+/test/)';

/** Where code outside of an app may enter it: its module, configuration, migrations, OpenAPI and `operations/`. */
const doors = '^apps/[^/]+/src/(([^/]+\\.module|config|openapi)\\.ts$|(migrations|operations)/)';
/** The operators' command line is entered as a whole, or by how it finds servers. */
const operatorDoors = '^apps/operator/src/(podium\\.ts$|cli/)';

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'app-imports-libs-only',
      severity: 'error',
      from: { path: '^apps/([^/]+)/', pathNot: ['^apps/operator/'] },
      to: { path: '^(apps|k8s|tools|e2e|bench)/', pathNot: '^apps/$1/' },
    },
    {
      name: 'operator-imports-apps-by-their-doors',
      severity: 'error',
      from: { path: '^apps/operator/', pathNot: spec },
      to: { path: '^(apps|k8s|tools|e2e|bench)/', pathNot: ['^apps/operator/', doors] },
    },
    {
      name: 'operator-is-tested-on-the-local-stack',
      severity: 'error',
      from: { path: ['^apps/operator/.*\\.spec\\.ts$', '^apps/operator/test/'] },
      to: {
        path: '^(apps|k8s|tools|e2e|bench)/',
        pathNot: ['^apps/operator/', doors, '^apps/[^/]+/test/', '^tools/(stack|competition/test)/'],
      },
    },
    {
      name: 'apps-are-entered-by-their-doors',
      severity: 'error',
      from: { path: '^(libs|k8s|tools|e2e|bench|docs)/' },
      to: { path: '^apps/[^/]+/src/', pathNot: [doors, operatorDoors] },
    },
    {
      name: 'test-folders-are-for-tests',
      severity: 'error',
      from: { path: '^(apps|libs|k8s|tools)/', pathNot: [spec, '/test/'] },
      to: { path: '^apps/[^/]+/test/' },
    },
    {
      name: 'messages-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^libs/messages/', pathNot: spec },
      to: { path: '^(apps|k8s|tools|libs/(partner-check|runtime|testing))/' },
    },
    {
      // Partners get it inside of the SDK: a package or a file of a service would come with it.
      name: 'partner-check-imports-nothing',
      severity: 'error',
      from: { path: '^libs/partner-check/', pathNot: [spec, '^libs/partner-check/test/'] },
      to: { path: ['^(apps|k8s|tools|e2e|bench|sdk|libs/(?!partner-check/))', 'node_modules/'] },
    },
    {
      name: 'runtime-imports-messages-only',
      severity: 'error',
      from: { path: '^libs/runtime/', pathNot: spec },
      to: { path: '^(apps|k8s|tools|libs/(partner-check|testing))/' },
    },
    {
      name: 'simulated-partner-imports-runtime-only',
      severity: 'error',
      from: { path: '^libs/simulated-partner/', pathNot: spec },
      to: { path: '^(apps|k8s|tools|libs/(messages|testing))/' },
    },
    {
      name: 'only-the-sandbox-and-tests-simulate-partners',
      severity: 'error',
      from: { path: '^(apps/(?!sandbox/)|libs/(?!simulated-partner/)|k8s/|sdk/)', pathNot: [spec, '/test/'] },
      to: { path: '^libs/simulated-partner/' },
    },
    {
      // Partners install it: nothing of this repository or of a registry comes with it.
      name: 'sdk-imports-nothing',
      severity: 'error',
      from: { path: '^sdk/', pathNot: [spec, '/test/', '^sdk/typescript/(src/command-line|build)/'] },
      to: { path: ['^(apps|libs|k8s|tools|e2e|bench|docs)/', 'node_modules/', '^sdk/typescript/src/command-line/'] },
    },
    {
      // Built into one file: what it imports must be allowed to go to partners.
      name: 'partners-command-line-bundles-the-check-alone',
      severity: 'error',
      from: { path: '^sdk/typescript/src/command-line/', pathNot: spec },
      to: {
        path: ['^(apps|libs/(?!partner-check/)|k8s|tools|e2e|bench|docs)/', 'node_modules/(?!(commander|csv-parse)/)'],
      },
    },
    {
      name: 'services-do-not-use-the-sdk',
      severity: 'error',
      from: { path: '^(apps|libs|k8s|tools|bench)/', pathNot: '^libs/partner-check/test/' },
      to: { path: '^sdk/' },
    },
    {
      name: 'testing-is-for-tests',
      severity: 'error',
      from: {
        path: '^(apps|libs|k8s|tools)/',
        pathNot: [spec, '^libs/testing/', '^tools/(stack|test)/', '/test/'],
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
      from: {
        path: '^(apps|libs)/',
        pathNot: ['^libs/runtime/src/postgres/', '^apps/operator/src/migrate/', spec, '^libs/testing/'],
      },
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
    { name: 'not-to-spec', severity: 'error', from: { pathNot: spec }, to: { path: spec, pathNot: '/test/' } },
    {
      name: 'no-dev-dependency-in-apps',
      severity: 'error',
      from: { path: '^(apps/(?!sandbox)|libs/(messages|runtime))', pathNot: spec },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^tools/lint/fixtures/', '^sdk/[^/]+/dist/'] },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'] },
  },
};
