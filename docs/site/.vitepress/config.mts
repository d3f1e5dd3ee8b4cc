import { copyFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { transformerStyleToClass } from '@shikijs/transformers';
import { defineConfig } from 'vitepress';

// Colours of samples as classes: the content security policy allows no style attributes.
const coloursAsClasses = transformerStyleToClass({ classPrefix: 'shiki-' });

/** The component of the API reference, whose pages the gateway makes of its OpenAPI documents. */
const apiExplorer = createRequire(import.meta.url).resolve('openapi-explorer/dist/browser/openapi-explorer.min.js');

/**
 * The documentation site that the gateway serves below /docs. Pages are written for no deployment in particular: the gateway
 * replaces the address and the environment when it starts (apps/gateway/src/docs/built-site.ts).
 */
export default defineConfig({
  title: 'Podium',
  description: 'How partners link accounts, send events and read competition data',
  lang: 'en',
  base: '/docs/',
  cleanUrls: true,
  // Site data and the names of files lie in a script of their own, so that inline scripts are few and the same on each page.
  metaChunk: true,
  // It would add an inline style whenever the colours change.
  appearance: { disableTransition: false },
  head: [['link', { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' }]],
  // Served by the gateway beside this site.
  ignoreDeadLinks: [/^\/(api|openapi|sdk)\//],
  markdown: {
    codeTransformers: [coloursAsClasses],
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    headers: { level: [2, 3] },
    config: (markdown) =>
      // The READMEs of the SDKs name no deployment.
      markdown.core.ruler.before('normalize', 'address', (state) => {
        state.src = state.src.replaceAll('https://events.example', 'https://address.podium.invalid');
      }),
  },
  transformHtml: (html) =>
    html
      .replace('</head>', `<style>${coloursAsClasses.getCSS()}</style></head>`)
      // Scripts set the first again; the second is in theme/style.css.
      .replaceAll(' style="--vp-vh:0px;"', '')
      .replaceAll(' style="position:relative;"', ''),
  buildEnd: ({ outDir }) => copyFileSync(apiExplorer, join(outDir, 'assets/openapi-explorer.js')),
  themeConfig: {
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    nav: [
      { text: 'Partners', link: '/' },
      { text: 'SDKs', link: '/sdk' },
      { text: 'Competition data', link: '/data' },
      { text: 'Errors', link: '/errors' },
    ],
    sidebar: [
      {
        text: 'Partners',
        items: [
          { text: 'Integration guide', link: '/' },
          { text: 'Account linking', link: '/linking' },
          { text: 'A partner server', link: '/partner-server' },
          { text: 'SDKs', link: '/sdk' },
          { text: 'SDK for TypeScript', link: '/sdk-typescript' },
          { text: 'SDK for Python', link: '/sdk-python' },
          { text: 'A sender of your own', link: '/own-sender' },
          { text: 'Limits', link: '/limits' },
        ],
      },
      { text: 'Data partners', items: [{ text: 'Competition data', link: '/data' }] },
      {
        text: 'Reference',
        items: [
          { text: 'API reference', link: '/api' },
          { text: 'Error catalogue', link: '/errors' },
          { text: 'Changelog', link: '/changelog' },
        ],
      },
    ],
  },
});
