import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';
import { Environment } from '@podium/messages';
import { apiTemplate, referenceScript, referenceStyleSheet } from './api-page';
import { builtSite } from './built-site';
import { faviconIco, faviconSvg } from './favicon';
import { landingTemplate } from './landing-page';
import { layoutTemplate, styleSheet } from './layout';
import { missingSiteTemplate } from './missing-site-page';
import { pageHeaders } from './page-headers';

/** One response at / or under /docs, made once at the start. */
export interface DocsPage {
  readonly status: 200 | 308 | 503;
  readonly body: Buffer;
  readonly headers: { readonly [name: string]: string };
}

/** The data of this deployment that the pages show. */
export interface DocsOptions {
  /** Folder that holds `openapi/*.json`, and in `site/.vitepress/dist` the built site; what is missing is left out. */
  readonly docsDir: string;
  readonly publicUrl: string;
  readonly environment: Environment;
}

/** OpenAPI files whose operations a partner may try from their pages, by environment; in production those that only read. */
const tried: Readonly<Record<Environment, readonly string[]>> = {
  test: ['competition-data', 'partner-events'],
  production: ['competition-data'],
};

interface OpenApiFile {
  readonly name: string;
  readonly title: string;
  readonly bytes: Buffer;
}

// The component of the reference writes inline styles and draws icons from data: URLs; scripts come from this site only.
const referencePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Where VitePress writes the site, below the folder of the documents. */
const builtFolder = 'site/.vitepress/dist';

/**
 * The landing page at / with its icon, and below /docs the documentation site and a page for each OpenAPI document.
 * All of it is in memory and changes with a release.
 */
export class DocsSite {
  /** Whether the folder has the built site; without it, its first page says how to build it. */
  readonly isBuilt: boolean;
  private readonly pages = new Map<string, DocsPage>();
  private readonly eta = new Eta({ autoTrim: false });

  constructor(private readonly options: DocsOptions) {
    const apis = readOpenApi(join(options.docsDir, 'openapi'));
    this.addPage('/', 'Podium', landingTemplate, { apis });
    this.add('/favicon.ico', 'image/x-icon', faviconIco);
    this.add('/favicon.svg', 'image/svg+xml', Buffer.from(faviconSvg));
    this.add('/docs/assets/style.css', 'text/css; charset=utf-8', Buffer.from(styleSheet));
    const site = builtSite(join(options.docsDir, builtFolder), options);
    for (const { path, contentType, body, policy, isRevalidated } of site)
      this.add(path === '' ? '/docs/' : `/docs${path}`, contentType, body, { policy, isRevalidated });
    this.isBuilt = site.length > 0;
    if (!this.isBuilt) this.addMissingSite();
    for (const api of apis) this.addApi(api);
    this.add('/docs/assets/reference.css', 'text/css; charset=utf-8', Buffer.from(referenceStyleSheet));
    this.add('/docs/assets/reference.js', 'text/javascript; charset=utf-8', Buffer.from(referenceScript));
  }

  /** The page of a path; with a trailing slash too many or too few, the redirect to it. */
  page(path: string): DocsPage | undefined {
    const page = this.pages.get(path);
    if (page) return page;
    // The site's own script looks for another page when the slash differs.
    const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
    return this.pages.has(other) ? redirectTo(other) : undefined;
  }

  private addMissingSite(): void {
    const html = this.render('Documentation is not built', missingSiteTemplate, { folder: builtFolder });
    const headers = { ...pageHeaders('text/html; charset=utf-8'), 'cache-control': 'no-store' };
    this.pages.set('/docs/', { status: 503, body: Buffer.from(html), headers });
  }

  private addApi({ name, title, bytes }: OpenApiFile): void {
    this.add(`/docs/openapi/${name}.json`, 'application/json; charset=utf-8', bytes);
    const canTry = tried[this.options.environment].includes(name);
    this.addPage(`/docs/api/${name}`, title, apiTemplate, { name, canTry }, referencePolicy);
  }

  private addPage(path: string, title: string, template: string, data: object, policy?: string): void {
    this.add(path, 'text/html; charset=utf-8', Buffer.from(this.render(title, template, data)), { policy });
  }

  private render(title: string, template: string, data: object): string {
    const { publicUrl, environment } = this.options;
    const content = this.eta.renderString(template, { ...data, title, publicUrl, environment });
    const isReference = template === apiTemplate;
    return this.eta.renderString(layoutTemplate, { title, content, environment, isReference });
  }

  private add(
    path: string,
    contentType: string,
    body: Buffer,
    { policy, isRevalidated }: { policy?: string; isRevalidated?: boolean } = {},
  ): void {
    this.pages.set(path, {
      status: 200,
      body,
      headers: {
        ...pageHeaders(contentType, policy),
        'cache-control': isRevalidated ? 'no-cache' : 'public, max-age=300',
        etag: `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`,
      },
    });
  }
}

function redirectTo(location: string): DocsPage {
  return { status: 308, body: Buffer.alloc(0), headers: { location, 'cache-control': 'public, max-age=300' } };
}

function readOpenApi(folder: string): OpenApiFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^[a-z0-9-]+\.json$/.test(entry.name))
    .map((entry) => {
      const bytes = readFileSync(join(folder, entry.name));
      const name = entry.name.slice(0, -'.json'.length);
      const { info } = JSON.parse(bytes.toString()) as { info?: { title?: string } };
      return { name, title: info?.title ?? name, bytes };
    });
}
