// Builds the command line into one file, dist/podium-partner.js, with what it uses of this repository and of two packages.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { rspack } from '@rspack/core';
import { compile, sdk } from './compile.mjs';

const root = path.resolve(sdk, '../..');
/** The folder of an installed package. */
const packageOf = (name) => path.join(path.dirname(createRequire(import.meta.url).resolve(name)).split(name)[0], name);
const [commander, csv] = ['commander', 'csv-parse'].map(packageOf);
const check = path.join(root, 'libs/partner-check/src');

const licenceOf = (folder) => readFileSync(path.join(folder, 'LICENSE'), 'utf8');

compile(
  {
    entry: './src/command-line/main.ts',
    output: { filename: 'podium-partner.js' },
    optimization: { concatenateModules: false },
    resolve: { alias: { '@podium/partner-check$': path.join(check, 'index.ts') } },
    plugins: [
      new rspack.BannerPlugin({
        raw: true,
        banner: `#!/usr/bin/env node\n/*! This file contains commander and csv-parse:\n\n${licenceOf(commander)}\n${licenceOf(csv)}*/`,
      }),
    ],
  },
  {
    allowed: [check, path.join(sdk, 'src'), commander, csv],
    required: [path.join(sdk, 'src/command-line/link-check.ts'), path.join(check, 'index.ts'), commander, csv],
  },
);
