import * as fs from 'node:fs';
import * as path from 'node:path';
import { checkoutFolder } from '../../../tools/stack/folders';
import { succeed, toolsFolder } from './external-tools';

/** The Node with which services run in their images; this one where it has the same major version. */
export async function imageNode(): Promise<string> {
  const major = imageNodeMajor(fs.readFileSync(path.join(checkoutFolder, 'Dockerfile'), 'utf8'));
  return process.versions.node.split('.')[0] === major ? process.execPath : installNode(major);
}

/** The one major version of Node of all stages of a Dockerfile. */
export function imageNodeMajor(dockerfile: string): string {
  const majors = new Set([...dockerfile.matchAll(/^FROM node:(\d+)-/gm)].map(([, major]) => major));
  if (majors.size !== 1)
    throw new Error(`the images have ${[...majors].join(' and ') || 'no'} major version of Node instead of one`);
  return [...majors][0];
}

/** npm has each release of Node as a package per system, with nothing but its program, licence and documentation. */
async function installNode(major: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  const home = path.join(toolsFolder, `node-${major}`);
  const program = path.join(home, 'node_modules', name, 'bin/node');
  if (fs.existsSync(program)) return program;
  const draft = `${home}.${process.pid}`;
  fs.mkdirSync(draft, { recursive: true });
  // Without it npm would install into the checkout.
  fs.writeFileSync(path.join(draft, 'package.json'), '{}');
  const args = ['install', '--prefix', draft, '--no-package-lock', '--ignore-scripts', `${name}@${major}`];
  try {
    await succeed(
      [['npm', args, { cwd: draft }]],
      `Node ${major}, which the images have, could not be installed: check that npm reaches its registry, or run the command with Node ${major}.`,
    );
  } catch (error) {
    fs.rmSync(draft, { recursive: true, force: true });
    throw error;
  }
  fs.rmSync(home, { recursive: true, force: true });
  fs.renameSync(draft, home);
  return program;
}
