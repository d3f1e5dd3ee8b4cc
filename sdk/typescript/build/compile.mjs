// Builds TypeScript into one file below dist/, and refuses what must not go to partners.
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rspack } from '@rspack/core';

export const sdk = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs rspack with what all files have in common.
 * @param options Of rspack, besides these.
 * @param allowed Files and folders whose modules may go to partners.
 * @param required Those of which at least one must be there: in a bundle that was listed wrongly, the rule above would pass
 * whatever is in it.
 */
export function compile({ output, resolve, optimization, ...options }, { allowed, required }) {
  const compiler = rspack({
    mode: 'production',
    target: 'node20',
    context: sdk,
    output: { path: path.join(sdk, 'dist'), clean: false, ...output },
    devtool: false,
    optimization: { minimize: false, ...optimization },
    resolve: { extensions: ['.ts', '.js'], ...resolve },
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
    ...options,
  });
  compiler.run((error, stats) => {
    const problems = error
      ? [String(error)]
      : stats.toJson({ all: false, errors: true }).errors.map(({ message }) => message);
    const modules = stats?.toJson({ all: false, modules: true, nestedModules: true }).modules ?? [];
    const files = filesOf(modules);
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
}

/** The files of modules, and of those that were joined into one. */
function filesOf(modules) {
  return modules.flatMap((module) => [
    ...(module.nameForCondition ? [module.nameForCondition] : []),
    ...filesOf(module.modules ?? []),
  ]);
}
