import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { isFree, portOffsets } from '../../tools/stack/ports';

const checkout = path.resolve(__dirname, '../..');

/**
 * Copies this checkout's sources to a new folder, for commands that read and write files of the checkout (`.env`, `.stack`). The
 * copy shares packages, built apps and downloads with this checkout.
 */
export function copyCheckout(): string {
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'podium-copy-'));
  for (const name of [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'nest-cli.json',
    'apps',
    'libs',
    'tools',
    'docs',
    'sdk',
  ])
    fs.cpSync(path.join(checkout, name), path.join(copy, name), { recursive: true, filter: isSource });
  fs.mkdirSync(path.join(copy, '.stack'));
  for (const name of ['node_modules', 'dist', '.stack/cache'])
    fs.symlinkSync(path.join(checkout, name), path.join(copy, name));
  return copy;
}

/** Packages and builds of an SDK, which specs and tools leave in its folder, are not part of its sources. */
function isSource(file: string): boolean {
  return !/^sdk\/\w+\/(?:node_modules|dist)$/.test(path.relative(checkout, file));
}

/** Finds a `PORT_BASE` whose ports are all free, below those that other tests draw meanwhile (`freePort`). */
export async function freePortBase(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const base = 8_000 + 100 * Math.floor(Math.random() * 69);
    const ports = await Promise.all(Object.values(portOffsets).map((offset) => isFree(base + offset)));
    if (ports.every(Boolean)) return base;
  }
  throw new Error('no PORT_BASE was found whose ports are all free');
}
