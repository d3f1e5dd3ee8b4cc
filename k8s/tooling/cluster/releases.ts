import * as fs from 'node:fs';
import * as path from 'node:path';
import { StackFailure } from '../../../tools/stack/failure';
import { StackFolders, checkoutFolder } from '../../../tools/stack/folders';
import { readPreviousRelease, requireCommit } from '../../../tools/stack/previous-release';
import { runTool } from '../../../tools/stack/server-process';
import { Overlay, manifestsFolder, parseOverlay, renderText } from '../checks/overlays';

/** A rendered overlay of one release, and the file that kubectl applies. */
export interface RenderedRelease extends Overlay {
  readonly file: string;
  readonly namespace: string;
  /** The tag of its images. */
  readonly tag: string;
}

/** The manifests of a release: this checkout's, or a copy of them. */
export interface Release {
  readonly folder: string;
  /** Folder of the rendered files. */
  readonly output: string;
}

/** The release of this checkout. */
export function thisRelease(folders: StackFolders): Release {
  return { folder: manifestsFolder, output: path.join(folders.data, 'this-release') };
}

/** The same manifests with another tag: the smallest change a next release can have. */
export function nextRelease(folders: StackFolders): Release {
  const folder = path.join(folders.data, 'next-release-manifests');
  fs.cpSync(manifestsFolder, folder, { recursive: true });
  setTags(folder, 'next');
  return { folder, output: path.join(folders.data, 'next-release') };
}

/** The manifests of the commit that k8s/previous-release names, with a tag of their own. */
export async function previousRelease(folders: StackFolders): Promise<Release> {
  const commit = readPreviousRelease();
  await requireCommit(commit);
  const logPath = path.join(folders.logs, 'previous-manifests.log');
  const archive = path.join(folders.data, 'previous-manifests.tar');
  const home = path.join(folders.data, 'previous-manifests');
  fs.mkdirSync(home, { recursive: true });
  const command = { cwd: checkoutFolder, logPath };
  await runTool({ ...command, name: 'git archive', command: 'git', args: ['archive', '-o', archive, commit, 'k8s'] });
  await runTool({ ...command, name: 'tar', command: 'tar', args: ['-xf', archive, '-C', home] });
  const folder = path.join(home, 'k8s');
  setTags(folder, 'previous');
  return { folder, output: path.join(folders.data, 'previous-release') };
}

/** Renders an overlay of a release into a file. */
export async function renderRelease({ folder, output }: Release, name: string): Promise<RenderedRelease> {
  const overlay = path.join(folder, 'overlays', name);
  const text = await renderText(overlay);
  fs.mkdirSync(output, { recursive: true });
  const file = path.join(output, `${name}.yaml`);
  fs.writeFileSync(file, text);
  const { objects } = parseOverlay(name, text);
  const namespace = objects.find(({ kind }) => kind === 'Namespace')?.metadata.name;
  if (!namespace)
    throw new StackFailure(`The overlay ${name} creates no namespace: add one to its kustomization.yaml.`);
  return { name, objects, file, namespace, tag: readTag(overlay) };
}

function readTag(overlay: string): string {
  const file = path.join(overlay, 'release.yaml');
  const tag = tagLine.exec(fs.readFileSync(file, 'utf8'))?.[1];
  if (tag) return tag;
  throw new StackFailure(`${path.relative(checkoutFolder, file)} has no tag: write it as "tag: …" in its data.`);
}

function setTags(folder: string, tag: string): void {
  const overlays = path.join(folder, 'overlays');
  for (const name of fs.readdirSync(overlays)) {
    const file = path.join(overlays, name, 'release.yaml');
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(tagLine, `  tag: ${tag}`));
  }
}

const tagLine = /^ {2}tag: *(\S+) *$/m;
