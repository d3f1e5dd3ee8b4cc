/** A reference page rendered from an OpenAPI file. */
export const apiTemplate = `<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<p><a href="/docs/openapi/<%= it.name %>.json">OpenAPI as JSON</a></p>
<div id="swagger-ui"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/assets/<%= it.name %>.js"></script>
`;
