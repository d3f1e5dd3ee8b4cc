/** A reference page rendered from an OpenAPI file, by a component that has landmarks and a filter of its own. */
export const apiTemplate = `<link rel="stylesheet" href="/docs/assets/reference.css">
<section class="about" aria-labelledby="title">
<h1 id="title"><%= it.title %></h1>
<a href="/#apis">All APIs</a> <a href="/docs/openapi/<%= it.name %>.json">OpenAPI as JSON</a>
</section>
<noscript><p class="about">This page needs JavaScript; the OpenAPI document does not.</p></noscript>
<openapi-explorer spec-url="/docs/openapi/<%= it.name %>.json" hide-components hide-server-selection <%= it.canTry ? '' : 'hide-console hide-authentication' %>></openapi-explorer>
<script src="/docs/assets/reference.js"></script>
<script type="module" src="/docs/assets/openapi-explorer.js"></script>
`;

/** Colours that the component takes from properties, and a layout that fills the window below the header. */
export const referenceStyleSheet = `html, body { height: 100%; }
body { display: flex; flex-direction: column; background: #fff; color: #2a2a33; }
header, .about { max-width: none; width: 100%; margin: 0; padding: .6rem 1rem; }
.about { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; }
h1 { margin: 0; }
openapi-explorer { flex: 1 1 auto; min-height: 30rem; --font-regular: system-ui, sans-serif; --font-mono: ui-monospace, monospace;
  --blue: #0b62c4; --green: #116329; --orange: #953800; --red: #b3261e; --purple: #6f42c1; --yellow: #7a5200; --gray: #465865;
  --inline-code-fg: #8c1d18; --code-fg: #444; }
@media (max-width: 575px) {
  openapi-explorer::part(schema-key), openapi-explorer::part(schema-type) { box-sizing: border-box; max-width: none; }
  openapi-explorer::part(schema-key) { width: 55%; }
  openapi-explorer::part(schema-type) { width: 45%; }
}
:root.dark { color-scheme: dark; --mark: #7db8ff; }
:root:not(.dark) { color-scheme: light; --mark: #0b62c4; }
.dark body { background: #1b1b1f; color: #e6e6ea; }
.dark openapi-explorer { --blue: #7db8ff; --green: #7ee787; --orange: #ffa657; --red: #ff9a94; --purple: #d2a8ff; --yellow: #e3b341;
  --gray: #b1bac4; --inline-code-fg: #ffb4ab; --code-fg: #c9d1d9; --code-property-color: #ff9ac1; --code-keyword-color: #7db8ff;
  --code-operator-color: #e3b341; }
`;

/**
 * Sets the colours that the reader chose on the documentation site, else those of the system. On a narrow window the columns of
 * the authentication are below each other; the component gives this table no part that a style sheet of the page could name.
 */
export const referenceScript = `(() => {
  const chosen = localStorage.getItem('vitepress-theme-appearance');
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.toggle('dark', isDark);
  const colours = isDark
    ? { 'bg-color': '#1b1b1f', 'text-color': '#e6e6ea', 'primary-color': '#7db8ff', 'secondary-color': '#7db8ff',
        'header-color': '#7db8ff', 'nav-bg-color': '#161618', 'nav-text-color': '#dfdfd6',
        'nav-hover-bg-color': '#2e2e32', 'nav-hover-text-color': '#ffffff' }
    : { 'bg-color': '#ffffff', 'text-color': '#2a2a33', 'primary-color': '#0b4f9e', 'secondary-color': '#0b4f9e',
        'header-color': '#0b4f9e', 'nav-bg-color': '#f6f6f7', 'nav-text-color': '#3c3c43',
        'nav-hover-bg-color': '#e2e2e8', 'nav-hover-text-color': '#10101a' };
  const explorer = document.querySelector('openapi-explorer');
  for (const [name, value] of Object.entries(colours)) explorer.setAttribute(name, value);
  customElements.whenDefined('openapi-explorer').then(() => {
    const narrow = new CSSStyleSheet();
    narrow.replaceSync(
      '@media (max-width: 575px) { .m-table[role="presentation"] td { display: block; max-width: none !important; } }');
    explorer.shadowRoot.adoptedStyleSheets = [...explorer.shadowRoot.adoptedStyleSheets, narrow];
  });
})();
`;
