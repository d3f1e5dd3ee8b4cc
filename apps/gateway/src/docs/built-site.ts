import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';

/** What pages of the built site show in place of this deployment's address. */
const addressPlaceholder = 'https://address.podium.invalid';
/** What pages of the built site show in place of this deployment's environment, also inside keys. */
const environmentPlaceholder = 'environmentpodium';

/** A file of the documentation site as it is served. */
export interface BuiltFile {
  /** Below /docs, with a leading slash; a page has no extension, and the first page is empty. */
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
  /** A cache must ask whether it has changed before each use. */
  readonly isRevalidated: boolean;
  /** Only for pages: what the browser may load and run. */
  readonly policy?: string;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.py': 'text/x-python; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.tgz': 'application/gzip',
  '.gz': 'application/gzip',
  '.txt': 'text/plain; charset=utf-8',
  '.whl': 'application/zip',
};
const isText = new Set(['.html', '.js', '.mjs', '.py', '.css', '.json', '.svg']);
/** What VitePress writes for servers, not for readers. */
const unserved = new Set(['/404.html']);
/**
 * The current names of the pages' files. The site's script asks for them when a file that it knows is gone, as after a
 * release: an old copy would name the missing file again.
 */
const nameMap = '/hashmap.json';

/**
 * Reads the site that VitePress has built into `folder`, and fills in address and environment; empty while it is not built.
 * A file of another type than those listed ends the start, because it would be served as something else.
 */
export function builtSite(folder: string, values: { publicUrl: string; environment: string }): BuiltFile[] {
  return filesBelow(folder, '')
    .filter((path) => !unserved.has(path))
    .map((path) => {
      const extension = extname(path);
      const contentType = contentTypes[extension];
      if (!contentType) throw new Error(`The documentation site has a file of an unknown type: ${path}`);
      const bytes = readFileSync(join(folder, path));
      const body = isText.has(extension) ? filledIn(bytes.toString(), values) : bytes;
      const isRevalidated = path === nameMap;
      if (extension !== '.html') return { path, contentType, body, isRevalidated };
      return { path: pathOfPage(path), contentType, body, isRevalidated, policy: policyOf(body.toString()) };
    });
}

function filledIn(text: string, { publicUrl, environment }: { publicUrl: string; environment: string }): Buffer {
  // The address stands in HTML and in strings of scripts: it must not be able to end either.
  const address = publicUrl
    .replace(/\/$/, '')
    .replace(/[<>"'`&\\$\s]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return Buffer.from(
    text.replaceAll(addressPlaceholder, () => address).replaceAll(environmentPlaceholder, () => environment),
  );
}

/** Only the scripts of the page itself, by their hashes, and files of this origin; nothing of another host. */
function policyOf(html: string): string {
  const hashes = (tag: string): string =>
    [...html.matchAll(new RegExp(`<${tag}(?![^>]*\\ssrc=)[^>]*>([\\s\\S]*?)</${tag}>`, 'g'))]
      .map(([, content]) => ` 'sha256-${createHash('sha256').update(content).digest('base64')}'`)
      .join('');
  return [
    "default-src 'none'",
    `script-src 'self'${hashes('script')}`,
    `style-src 'self'${hashes('style')}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function pathOfPage(path: string): string {
  return path.replace(/(\/index)?\.html$/, '');
}

function filesBelow(folder: string, path: string): string[] {
  const absolute = join(folder, path);
  if (!existsSync(absolute)) return [];
  return readdirSync(absolute, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.'))
    .flatMap((entry) => {
      const below = `${path}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(folder, below) : [below];
    });
}
