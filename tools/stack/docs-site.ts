import * as fs from 'node:fs';
import * as path from 'node:path';
import { checkoutFolder } from './folders';
import { runTool } from './server-process';
import { sourceDigest } from './source-digest';
import { buildSdkArchives } from './sdk-archives';

/** Its pages, and what they include. */
const sources = ['docs/site', 'docs/examples', 'sdk/typescript/README.md', 'sdk/python/README.md', 'package-lock.json'];
/** Where VitePress writes the site and what it caches, below the checkout. */
const output = ['docs/site/.vitepress/dist', 'docs/site/.vitepress/cache'];

/**
 * Builds the documentation site with the archives of the SDKs when their sources have changed since the last time; returns
 * whether it did. Fails with the last lines of the log of the tool that failed.
 * @param logs Folder for the logs of the tools.
 */
export async function buildDocsSite(logs: string): Promise<boolean> {
  await buildSdkArchives(logs);
  const stamp = path.join(checkoutFolder, output[0], '.sources');
  const digest = sourceDigest(sources, output);
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === digest) return false;
  await runTool({
    name: 'vitepress build',
    command: process.execPath,
    args: ['node_modules/vitepress/bin/vitepress.js', 'build', 'docs/site'],
    cwd: checkoutFolder,
    logPath: path.join(logs, 'build-docs.log'),
  });
  fs.writeFileSync(stamp, digest);
  return true;
}
