import * as plain from 'eslint-parser-plain';
import tseslint from 'typescript-eslint';
import { plainWords } from './tools/lint/plain-words.mjs';

const plugins = { podium: { rules: { 'plain-words': plainWords } } };
const tests = ['**/*.spec.ts', '**/test/**'];
const generated = ['docs/examples/competition-data.ts', 'sdk/typescript/src/generated/**'];

/** One program for all files is three times as fast as the project service. The linter's own specs lint the fixtures. */
const projects = ['tools/lint/fixtures/tsconfig.json', 'tsconfig.json'];

/** A text that begins with a statement of SQL, as a string or a template. */
const sql =
  '/^\\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|TRUNCATE|CREATE|ALTER|DROP|LOCK|COPY|SET|NOTIFY|LISTEN)\\s|^(BEGIN|COMMIT|ROLLBACK)\\b/';
const sqlMessage =
  'SQL stands in *.store.ts, *.queries.ts and migrations: move this statement to a store of the same folder.';

const canParse = {
  object: 'URL',
  property: 'canParse',
  message: 'Use parseUrl of @podium/runtime/url, which says why.',
};
const anySignal = {
  object: 'AbortSignal',
  property: 'any',
  message:
    'Node 20 keeps something of each use while a signal lives: use untilAny of @podium/runtime/work, or listeners.',
};
const environment = {
  object: 'process',
  property: 'env',
  message: 'Only main.ts and config.ts see the environment: declare a field in config.ts.',
};
const sdkEnvironment = {
  object: 'process',
  property: 'env',
  message: 'The SDK gets its settings from its caller: declare an option.',
};

const nested = {
  name: 'class-validator',
  importNames: ['ValidateNested'],
  message: 'An empty list passes it: use IsNested or IsNestedList of @podium/runtime/http.',
};

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'sdk/typescript/dist/',
      '.stack/',
      'node_modules/',
      'docs/openapi/',
      'docs/site/.vitepress/{cache,dist}/',
      'docs/site/samples/*.ts',
      'tools/lint/fixtures/',
    ],
  },
  {
    files: ['**/*.ts'],
    extends: tseslint.configs.recommended,
    plugins,
    languageOptions: { parserOptions: { project: projects, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'off',
      'no-console': 'error',
      eqeqeq: 'error',
      'no-restricted-properties': ['error', canParse, anySignal],
      'podium/plain-words': 'error',
    },
  },
  { files: ['tools/**', 'k8s/tooling/**', 'bench/**', 'docs/examples/**'], rules: { 'no-console': 'off' } },
  { files: ['**/*.ts'], ignores: [...tests, ...generated], rules: { 'max-lines': ['error', 300] } },
  { files: tests, rules: { 'max-lines': ['error', 400] } },
  {
    files: ['apps/**/*.ts', 'libs/{messages,partner-check,runtime}/**/*.ts'],
    ignores: [...tests, '**/*.{store,queries}.ts', '**/migrations/**', 'libs/runtime/src/postgres/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: `Literal[value=${sql}]`, message: sqlMessage },
        { selector: `TemplateLiteral > TemplateElement:first-child[value.raw=${sql}]`, message: sqlMessage },
      ],
    },
  },
  {
    files: ['apps/**/*.ts', 'libs/{messages,partner-check,runtime}/**/*.ts'],
    ignores: [...tests, '**/src/{main,config}.ts'],
    rules: {
      'no-restricted-properties': ['error', canParse, anySignal, environment],
    },
  },
  {
    files: ['sdk/**/*.ts'],
    ignores: [...tests, 'sdk/typescript/src/command-line/main.ts'],
    rules: { 'no-restricted-properties': ['error', anySignal, sdkEnvironment] },
  },
  {
    files: ['apps/**/*.ts'],
    ignores: tests,
    rules: { 'no-restricted-imports': ['error', { paths: [nested] }] },
  },
  // Migrations that were published never change, nor do their words.
  { files: ['**/migrations/**'], rules: { 'podium/plain-words': 'off' } },
  {
    files: ['**/*.{md,yaml,yml,html,css,sh,mjs,cjs}'],
    // Where the words are listed.
    ignores: ['tools/lint/plain-words.mjs'],
    languageOptions: { parser: plain },
    plugins,
    rules: { 'podium/plain-words': 'error' },
  },
);
