// Builds the client into one ES module, dist/index.mjs, for bundlers: one that writes ES modules cannot take in CommonJS that
// requires modules of Node. Node itself loads dist/index.js, so that a process has one copy of each class.
import * as path from 'node:path';
import { compile, sdk } from './compile.mjs';

compile(
  {
    entry: './build/es-module-entry.mjs',
    output: { filename: 'index.mjs', module: true, library: { type: 'modern-module' } },
    optimization: { concatenateModules: true },
    // As imports: the preset for Node requires its modules.
    externalsPresets: { node: false },
    externals: [/^node:/],
    externalsType: 'module',
  },
  {
    allowed: [path.join(sdk, 'src'), path.join(sdk, 'build/es-module-entry.mjs')],
    required: [path.join(sdk, 'src/index.ts')],
  },
);
