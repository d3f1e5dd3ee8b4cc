import * as fs from 'node:fs';
import * as path from 'node:path';
import { printFailure } from './failure';
import { checkoutFolder } from './folders';
import { buildDocsSite } from './docs-site';

// The program of the image's build stage.
const logs = path.join(checkoutFolder, '.stack/logs');
fs.mkdirSync(logs, { recursive: true });
buildDocsSite(logs).catch((error: unknown) => {
  printFailure(error);
  process.exitCode = 1;
});
