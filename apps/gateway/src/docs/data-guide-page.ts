/** The guide for data partners; operations and schemas are on the OpenAPI page. */
export const dataGuideTemplate = `<p>Games, championships, tournaments, hubs, matches, rankings, queues, organizers, players and teams: everything under
<code><%= it.publicUrl %>/data/v4</code> is available with <code>GET</code>. This is the <strong><%= it.environment %></strong> environment;
test and production have different addresses, different keys and different data.</p>
<p><a href="/docs/api/<%= it.name %>">All operations</a>, to try with your key, or as <a href="/docs/openapi/<%= it.name %>.json">OpenAPI</a>.</p>

<h2>1. Send your key</h2>
<pre><code>curl -i '<%= it.publicUrl %>/data/v4/games?limit=5' \\
  -H 'Authorization: Bearer podium_<%= it.environment %>_dt_…'</code></pre>
<p>A key may also be a UUID. It has scopes:</p>
<div class="wide"><table>
<thead><tr><th scope="col">Scope</th><th scope="col">Allows</th></tr></thead>
<tbody>
<tr><td><code>data:read</code></td><td>All operations except those of queues</td></tr>
<tr><td><code>queues:developer</code></td><td>Queues and bans of the games listed in the key</td></tr>
<tr><td><code>queues:organizer</code></td><td>Queues and bans of the organizers listed in the key</td></tr>
</tbody>
</table></div>

<h2>2. Rate limit</h2>
<p>Each key has its own rate in requests per second, and the same number may arrive at once. Every response reports it:</p>
<pre><code>ratelimit-limit: 10, 10;w=1
ratelimit-remaining: 7
ratelimit-reset: 1</code></pre>
<p>Above the rate the response is 429; wait the number of seconds in <code>Retry-After</code>.</p>

<h2>3. Paging and caching</h2>
<ul>
<li>Lists take <code>offset</code> and <code>limit</code>; their responses contain <code>start</code>, <code>end</code> and <code>items</code>. The limits
are listed with each operation.</li>
<li>The header <code>Link</code> has the URL of the next page (<code>rel="next"</code>) and of the previous one (<code>rel="prev"</code>). Following
it costs the same at any depth.</li>
<li>Send a response's <code>ETag</code> in <code>If-None-Match</code>: if nothing has changed, the response is 304 without a body.</li>
<li><code>Accept-Encoding: gzip</code> compresses large responses.</li>
<li>New values of fields such as status or type may appear: handle unknown values. Objects may get new fields: ignore unknown fields.</li>
</ul>

<h2>4. Errors</h2>
<pre><code>HTTP/1.1 400 Bad Request
{"errors":[{"message":"limit: …","code":"err_br0","http_status":400,"parameters":["limit"]}]}</code></pre>
<div class="wide"><table>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
<tbody>
<tr><td>400</td><td><code>err_br0</code></td><td>A parameter is invalid; <code>parameters</code> names it</td></tr>
<tr><td>401</td><td><code>err_u0</code></td><td>The key is missing, unknown, revoked or expired</td></tr>
<tr><td>403</td><td><code>err_f0</code></td><td>The key's scopes do not allow it, or it belongs to the other environment</td></tr>
<tr><td>404</td><td><code>err_nf0</code></td><td>The path, or an identifier in it, does not exist</td></tr>
<tr><td>405</td><td><code>err_m0</code></td><td>A method other than GET and HEAD</td></tr>
<tr><td>408</td><td><code>err_t0</code></td><td>The request took too long to arrive</td></tr>
<tr><td>413</td><td><code>err_p0</code></td><td>The body is too large; reads need none</td></tr>
<tr><td>429</td><td><code>err_rl0</code></td><td>Above the key's rate; retry after <code>Retry-After</code></td></tr>
<tr><td>431</td><td><code>err_h0</code></td><td>Headers of more than 16 KiB, or more than 100 of them</td></tr>
<tr><td>500</td><td><code>err_i0</code></td><td>An error on our side; retry later, and if the problem persists, quote the request id</td></tr>
<tr><td>503</td><td><code>err_un0</code></td><td>Temporarily unavailable; retry after <code>Retry-After</code></td></tr>
</tbody>
</table></div>
<p>Every response has an <code>x-request-id</code>; quote it when you contact us. The codes of all APIs are in the
<a href="/docs/errors">error catalogue</a>.</p>
`;
