/** The page at `/`: what this service is, and where to go from here. */
export const landingTemplate = `<p class="lead">Podium connects a competitive-gaming service with its partners. Users link their accounts with a partner,
partners send what linked users do, and Podium turns that into segments and bonus awards. It also serves competition data.</p>
<p>This is the <strong><%= it.environment %></strong> environment at <code><%= it.publicUrl %></code>.</p>

<h2>For players</h2>
<ul class="places">
<li><a href="/connect">Connected accounts</a><span>Link your account with a partner, or end a link.</span></li>
</ul>

<h2>For partners and developers</h2>
<ul class="places">
<li><a href="/docs/">Integration guide</a><span>Link accounts, send events, retry: from the first request to production.</span></li>
<li><a href="/docs/linking">Account linking</a><span>The endpoints that a partner hosts, a complete server, and a check of yours.</span></li>
<li><a href="/docs/data">Competition data</a><span>Read games, matches, rankings and players with a data key.</span></li>
<li><a href="/docs/errors">Error catalogue</a><span>Every error code, what it means and when to retry.</span></li>
</ul>
<% if (it.apis.length > 0) { %>
<h2 id="apis">API reference</h2>
<ul class="places">
<% for (const api of it.apis) { %><li><a href="/docs/api/<%= api.name %>"><%= api.title %> API</a><span>OpenAPI reference, <a href="/docs/openapi/<%= api.name %>.json">also as JSON</a>.</span></li>
<% } %></ul>
<% } %>`;
