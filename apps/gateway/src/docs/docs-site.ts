import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';
import swaggerUiFolder from 'swagger-ui-dist/absolute-path';
import { Environment, ErrorRow, errorCatalogue, eventRatePerSecond, maxBatchOf } from '@podium/messages';
import { pageHeaders } from './page-headers';
import { apiTemplate } from './api-page';
import { dataGuideTemplate } from './data-guide-page';
import { errorsTemplate } from './errors-page';
import { faviconIco, faviconSvg } from './favicon';
import { guideTemplate } from './guide-page';
import { markdownPage } from './markdown-page';
import { landingTemplate } from './landing-page';
import { layoutTemplate, styleSheet } from './layout';
import { partnerServerTemplate } from './partner-server-page';

/** One response at / or under /docs, made once at the start. */
export interface DocsPage {
  readonly body: Buffer;
  readonly headers: { readonly [name: string]: string };
}

/** The data of this deployment that the pages show. */
export interface DocsOptions {
  /** Folder that holds `openapi/*.json`, `partners/linking.md` and `examples/partner-server.mjs`; missing files are left out. */
  readonly docsDir: string;
  readonly publicUrl: string;
  readonly environment: Environment;
}

/** The OpenAPI file whose operations anyone with a key may try from its page: they only read. */
const dataApi = 'competition-data';

interface OpenApiFile {
  readonly name: string;
  readonly title: string;
  readonly bytes: Buffer;
}

// Swagger UI writes inline styles and draws its icons from data: URLs; scripts come from this site only.
const apiPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const swaggerFiles = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/**
 * The landing page at / with its icon, and the pages for partners under /docs: guide, error catalogue, OpenAPI.
 * All of it is in memory and changes with a release.
 */
export class DocsSite {
  private readonly pages = new Map<string, DocsPage>();
  private readonly hasData: boolean;
  private readonly eta = new Eta({ autoTrim: false });

  constructor(private readonly options: DocsOptions) {
    const apis = readOpenApi(join(options.docsDir, 'openapi'));
    this.hasData = apis.some(({ name }) => name === dataApi);
    const sample = join(options.docsDir, 'examples/partner-server.mjs');
    const hasSample = existsSync(sample);
    const hasLinking = existsSync(join(options.docsDir, 'partners/linking.md'));
    this.addPage('/', 'Podium', landingTemplate, { apis, hasSample, hasData: this.hasData });
    this.add('/favicon.ico', 'image/x-icon', faviconIco);
    this.add('/favicon.svg', 'image/svg+xml', Buffer.from(faviconSvg));
    this.addPage('/docs', 'Integration guide', guideTemplate, {
      apis,
      eventRatePerSecond,
      maxBatchEvents: maxBatchOf(eventRatePerSecond),
      hasSample,
      hasLinking,
    });
    if (hasSample)
      this.addPage('/docs/partner-server', 'A partner server', partnerServerTemplate, {
        source: readFileSync(sample, 'utf8'),
      });
    if (hasLinking) this.addLinking(join(options.docsDir, 'partners'));
    if (this.hasData) this.addPage('/docs/data', 'Competition data', dataGuideTemplate, { name: dataApi });
    this.addPage('/docs/errors', 'Error catalogue', errorsTemplate, { rows: errorRows() });
    this.add('/docs/assets/style.css', 'text/css; charset=utf-8', Buffer.from(styleSheet));
    for (const api of apis) this.addApi(api);
    const folder = swaggerUiFolder();
    for (const name of swaggerFiles) {
      const type = name.endsWith('.css') ? 'text/css' : 'text/javascript';
      this.add(`/docs/assets/${name}`, `${type}; charset=utf-8`, readFileSync(join(folder, name)));
    }
  }

  /** The page of a path, with or without a trailing slash. */
  page(path: string): DocsPage | undefined {
    return this.pages.get(path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path);
  }

  private addLinking(folder: string): void {
    const { title, content } = markdownPage(readFileSync(join(folder, 'linking.md'), 'utf8'));
    this.addPage('/docs/linking', title, '<%~ it.content %>', { content });
    this.add('/docs/linking.svg', 'image/svg+xml', readFileSync(join(folder, 'linking.svg')));
  }

  private addApi({ name, title, bytes }: OpenApiFile): void {
    this.add(`/docs/openapi/${name}.json`, 'application/json; charset=utf-8', bytes);
    this.addPage(`/docs/api/${name}`, title, apiTemplate, { name }, apiPolicy);
    const settings = {
      url: `/docs/openapi/${name}.json`,
      dom_id: '#swagger-ui',
      deepLinking: true,
      supportedSubmitMethods: name === dataApi ? ['get', 'head'] : [],
      // An external validator would receive the shown document.
      validatorUrl: null,
    };
    const script = `window.addEventListener('load', () => SwaggerUIBundle(${JSON.stringify(settings)}));\n`;
    this.add(`/docs/assets/${name}.js`, 'text/javascript; charset=utf-8', Buffer.from(script));
  }

  private addPage(path: string, title: string, template: string, data: object, policy?: string): void {
    const { publicUrl, environment } = this.options;
    const content = this.eta.renderString(template, { ...data, publicUrl, environment });
    const html = this.eta.renderString(layoutTemplate, { title, content, environment, hasData: this.hasData });
    this.add(path, 'text/html; charset=utf-8', Buffer.from(html), policy);
  }

  private add(path: string, contentType: string, body: Buffer, policy?: string): void {
    this.pages.set(path, {
      body,
      headers: {
        ...pageHeaders(contentType, policy),
        'cache-control': 'public, max-age=300',
        etag: `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`,
      },
    });
  }
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

function errorRows(): (ErrorRow & { code: string })[] {
  return Object.entries(errorCatalogue).map(([code, row]) => ({ code, ...row }));
}
