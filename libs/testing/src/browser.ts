import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * Starts a browser with a new profile: the one that `npm test` found (`PODIUM_BROWSER`, with its libraries in
 * `PODIUM_BROWSER_LIBRARIES`), else one on the PATH.
 */
export function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.PODIUM_BROWSER ?? onPath();
  if (!executablePath)
    throw new Error('Browser tests need Chromium: run them by "npm test -- <path>", or put chromium on the PATH.');
  const libraries = process.env.PODIUM_BROWSER_LIBRARIES;
  return chromium.launch({
    executablePath,
    env: libraries ? { ...process.env, LD_LIBRARY_PATH: libraries } : undefined,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

function onPath(): string | undefined {
  const files = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return files.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
