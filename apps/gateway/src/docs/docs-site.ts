import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';
import swaggerUiFolder from 'swagger-ui-dist/absolute-path';
import { Environment, ErrorRow, errorCatalogue, eventRatePerSecond } from '@podium/messages';
import { apiTemplate } from './api-page';
import { dataGuideTemplate } from './data-guide-page';
import { errorsTemplate } from './errors-page';
import { guideTemplate } from './guide-page';
import { layoutTemplate, styleSheet } from './layout';
import { partnerServerTemplate } from './partner-server-page';

/** One answer under /docs, made once at the start. */
export interface DocsPage {
  readonly body: Buffer;
  readonly headers: { readonly [name: string]: string };
}

/** What the pages say of this deployment. */
export interface DocsOptions {
  /** Folder that holds `openapi/*.json` and `examples/partner-server.mjs`; what is missing is left out. */
  readonly docsDir: string;
  readonly publicUrl: string;
  readonly environment: Environment;
}

/** The OpenAPI file of the operations that anyone with a key may try from its page: reads, which change nothing. */
const dataApi = 'competition-data';

interface OpenApiFile {
  readonly name: string;
  readonly title: string;
  readonly bytes: Buffer;
}

const strictPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
// Swagger UI writes styles into elements and draws its icons from data addresses; scripts stay the site's own.
const apiPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const swaggerFiles = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/** The pages for partners under /docs: guide, error catalogue, OpenAPI. All of it lies in memory and changes with a release. */
export class DocsSite {
  private readonly pages = new Map<string, DocsPage>();
  private readonly hasData: boolean;
  private readonly eta = new Eta({ autoTrim: false });

  constructor(private readonly options: DocsOptions) {
    const apis = readOpenApi(join(options.docsDir, 'openapi'));
    this.hasData = apis.some(({ name }) => name === dataApi);
    const sample = join(options.docsDir, 'examples/partner-server.mjs');
    const hasSample = existsSync(sample);
    this.addPage('/docs', 'Integration guide', guideTemplate, strictPolicy, { apis, eventRatePerSecond, hasSample });
    if (hasSample)
      this.addPage('/docs/partner-server', 'A partner server', partnerServerTemplate, strictPolicy, {
        source: readFileSync(sample, 'utf8'),
      });
    if (this.hasData)
      this.addPage('/docs/data', 'Competition data', dataGuideTemplate, strictPolicy, { name: dataApi });
    this.addPage('/docs/errors', 'Error catalogue', errorsTemplate, strictPolicy, { rows: errorRows() });
    this.add('/docs/assets/style.css', 'text/css; charset=utf-8', Buffer.from(styleSheet), strictPolicy);
    for (const api of apis) this.addApi(api);
    const folder = swaggerUiFolder();
    for (const name of swaggerFiles) {
      const type = name.endsWith('.css') ? 'text/css' : 'text/javascript';
      this.add(`/docs/assets/${name}`, `${type}; charset=utf-8`, readFileSync(join(folder, name)), strictPolicy);
    }
  }

  /** The page of a path, with or without a slash at its end. */
  page(path: string): DocsPage | undefined {
    return this.pages.get(path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path);
  }

  private addApi({ name, title, bytes }: OpenApiFile): void {
    this.add(`/docs/openapi/${name}.json`, 'application/json; charset=utf-8', bytes, strictPolicy);
    this.addPage(`/docs/api/${name}`, title, apiTemplate, apiPolicy, { name });
    const settings = {
      url: `/docs/openapi/${name}.json`,
      dom_id: '#swagger-ui',
      deepLinking: true,
      supportedSubmitMethods: name === dataApi ? ['get', 'head'] : [],
      // A validator elsewhere would be told what is shown here.
      validatorUrl: null,
    };
    const script = `window.addEventListener('load', () => SwaggerUIBundle(${JSON.stringify(settings)}));\n`;
    this.add(`/docs/assets/${name}.js`, 'text/javascript; charset=utf-8', Buffer.from(script), strictPolicy);
  }

  private addPage(path: string, title: string, template: string, policy: string, data: object): void {
    const { publicUrl, environment } = this.options;
    const content = this.eta.renderString(template, { ...data, publicUrl, environment });
    const html = this.eta.renderString(layoutTemplate, { title, content, environment, hasData: this.hasData });
    this.add(path, 'text/html; charset=utf-8', Buffer.from(html), policy);
  }

  private add(path: string, contentType: string, body: Buffer, policy: string): void {
    this.pages.set(path, {
      body,
      headers: {
        'content-type': contentType,
        'content-security-policy': policy,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
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
