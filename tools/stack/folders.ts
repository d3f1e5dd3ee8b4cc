import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { StackFailure } from './failure';

/** The root of the checkout, absolute. */
export const checkoutFolder = path.resolve(__dirname, '../..');

/** Shared by all stacks of this checkout: downloads, and the location of Postgres when root runs the stack. */
export const sharedFolder = path.join(checkoutFolder, '.stack');

/** Folders of one stack, all absolute; `root` is `.stack` or `.stack/<name>`. */
export interface StackFolders {
  readonly root: string;
  readonly data: string;
  readonly logs: string;
  readonly cache: string;
  /** Where Postgres keeps its data: below `data`, or below the outer folder when root runs the stack. */
  readonly postgresData: string;
}

/** Folders of the stack with this name ('' is the checkout's own stack), made if they are missing. */
export function openFolders(name = ''): StackFolders {
  if (name && !/^[a-z0-9][a-z0-9-]{0,40}$/.test(name))
    throw new StackFailure(`STACK_NAME=${name} is not a name: use lower-case letters, digits and hyphens.`);
  const root = path.join(sharedFolder, name);
  const folders = { root, data: path.join(root, 'data'), logs: path.join(root, 'logs') };
  const cache = path.join(sharedFolder, 'cache');
  fs.mkdirSync(sharedFolder, { recursive: true });
  refuseForeignOwner();
  for (const folder of [folders.data, folders.logs, cache]) fs.mkdirSync(folder, { recursive: true });
  const postgresData = runsAsRoot() ? outerData(name, outerFolder()) : path.join(folders.data, 'postgres');
  return { ...folders, cache, postgresData };
}

/**
 * Where root keeps a stack's data below the outer folder. The checkout's own stack has `main`; the stack that is named so has
 * another folder, because a name has no underscore. Data that it has below `main`, in a checkout whose own stack has never run,
 * is moved.
 */
export function outerData(name: string, outer: string, shared = sharedFolder): string {
  const [own, named] = ['main', '_main'].map((folder) => path.join(outer, 'data', folder));
  if (name !== '' && name !== 'main') return path.join(outer, 'data', name);
  const hasRun = (root: string): boolean => fs.existsSync(path.join(root, 'secrets.json'));
  const isOfNamed = !hasRun(shared) && hasRun(path.join(shared, 'main'));
  if (isOfNamed && fs.existsSync(own) && !fs.existsSync(named)) fs.renameSync(own, named);
  return name === '' ? own : named;
}

/** Removes the data of one stack, and its folder when it is not the shared one. */
export function removeStack(folders: StackFolders): void {
  fs.rmSync(folders.postgresData, { recursive: true, force: true });
  if (folders.root === sharedFolder) fs.rmSync(folders.data, { recursive: true, force: true });
  else fs.rmSync(folders.root, { recursive: true, force: true });
}

/** Removes everything that stacks of this checkout have left: `.stack` and the outer folder. */
export function removeEverything(): void {
  const outer = readOuterFolder();
  if (outer) fs.rmSync(outer, { recursive: true, force: true });
  fs.rmSync(sharedFolder, { recursive: true, force: true });
}

/** Whether this process is root, under which Postgres refuses to run. */
export function runsAsRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The folder outside the checkout where root keeps Postgres' binaries and data: the server must run as an ordinary user,
 * who may not be allowed to enter the checkout (mode 700). `.stack/outer-folder` names it.
 */
export function outerFolder(): string {
  const known = readOuterFolder();
  if (known) return known;
  const parent = fs.existsSync('/var/tmp') ? '/var/tmp' : os.tmpdir();
  const folder = fs.mkdtempSync(path.join(parent, 'podium-'));
  fs.chmodSync(folder, 0o755);
  fs.writeFileSync(outerFolderNote, `${folder}\n`);
  return folder;
}

const outerFolderNote = path.join(sharedFolder, 'outer-folder');

function readOuterFolder(): string | undefined {
  if (!fs.existsSync(outerFolderNote)) return undefined;
  const folder = fs.readFileSync(outerFolderNote, 'utf8').trim();
  // After a clean-up of the temporary folder another user may have made a folder of this name: only an own one is trusted.
  const ours = fs.statSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.();
  return ours && path.basename(folder).startsWith('podium-') ? folder : undefined;
}

function refuseForeignOwner(): void {
  const owner = fs.statSync(sharedFolder).uid;
  const own = process.getuid?.();
  if (own === undefined || owner === own) return;
  throw new StackFailure(
    `The folder ${sharedFolder} belongs to another user (uid ${owner}): run "npm run stack:reset" as that user first.`,
  );
}
