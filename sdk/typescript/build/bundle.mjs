// Builds the command line into one file, dist/podium-partner.js, with what it uses of this repository and of two packages.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rspack } from '@rspack/core';

const sdk = fileURLToPath(new URL('..', import.meta.url));
const root = path.resolve(sdk, '../..');
/** The folder of an installed package. */
const packageOf = (name) => path.join(path.dirname(createRequire(import.meta.url).resolve(name)).split(name)[0], name);
const [commander, csv] = ['commander', 'csv-parse'].map(packageOf);
/** Nothing else may go to partners. */
const check = path.join(root, 'libs/partner-check/src');
const allowed = [check, path.join(sdk, 'src'), commander, csv];
/** A bundle in which these are not seen was listed wrongly, and then the rule above would pass whatever is in it. */
const required = [path.join(sdk, 'src/command-line/link-check.ts'), path.join(check, 'index.ts'), commander, csv];

const licenceOf = (folder) => readFileSync(path.join(folder, 'LICENSE'), 'utf8');

const compiler = rspack({
  mode: 'production',
  target: 'node20',
  context: sdk,
  entry: './src/command-line/main.ts',
  output: { path: path.join(sdk, 'dist'), filename: 'podium-partner.js', clean: false },
  devtool: false,
  optimization: { minimize: false, concatenateModules: false },
  resolve: {
    extensions: ['.ts', '.js'],
    alias: { '@podium/partner-check$': path.join(root, 'libs/partner-check/src/index.ts') },
  },
  module: {
    rules: [
      {
        test: /\.ts$/,
        loader: 'builtin:swc-loader',
        options: { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } },
        type: 'javascript/auto',
      },
    ],
  },
  plugins: [
    new rspack.BannerPlugin({
      raw: true,
      banner: `#!/usr/bin/env node\n/*! This file contains commander and csv-parse:\n\n${licenceOf(commander)}\n${licenceOf(csv)}*/`,
    }),
  ],
});

compiler.run((error, stats) => {
  const problems = error
    ? [String(error)]
    : stats.toJson({ all: false, errors: true }).errors.map(({ message }) => message);
  const modules = stats?.toJson({ all: false, modules: true, nestedModules: true }).modules ?? [];
  const files = modules.map(({ nameForCondition }) => nameForCondition).filter(Boolean);
  const isIn = (file, folder) => file === folder || file.startsWith(`${folder}${path.sep}`);
  const foreign = files.filter((file) => !allowed.some((folder) => isIn(file, folder)));
  const missing = required.filter((needed) => !files.some((file) => isIn(file, needed)));
  problems.push(...foreign.map((file) => `${file} must not go to partners`));
  problems.push(...missing.map((needed) => `${needed} is not among the modules of the bundle`));
  if (problems.length > 0) {
    process.stderr.write(`${problems.join('\n')}\n`);
    process.exitCode = 1;
  }
  compiler.close(() => undefined);
});
