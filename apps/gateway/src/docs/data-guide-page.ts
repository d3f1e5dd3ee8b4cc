/** What a reader of competition data needs before the first request; operations and shapes are the OpenAPI page's. */
export const dataGuideTemplate = `<p>Games, championships, tournaments, hubs, matches, rankings, queues, organizers, players and teams: everything under
<code><%= it.publicUrl %>/data/v4</code> is read with <code>GET</code>. This is the <strong><%= it.environment %></strong> environment;
test and production have different addresses, different keys and different data.</p>
<p><a href="/docs/api/<%= it.name %>">All operations</a>, to try out with your key, and as <a href="/docs/openapi/<%= it.name %>.json">OpenAPI</a>.</p>

<h2>1. Send your key</h2>
<pre><code>curl -i '<%= it.publicUrl %>/data/v4/games?limit=5' \\
  -H 'Authorization: Bearer podium_<%= it.environment %>_dt_…'</code></pre>
<p>A key may also have the form of a UUID. It carries scopes:</p>
<div class="wide"><table>
<thead><tr><th scope="col">Scope</th><th scope="col">Opens</th></tr></thead>
<tbody>
<tr><td><code>data:read</code></td><td>All operations but those of queues</td></tr>
<tr><td><code>queues:developer</code></td><td>Queues and bans of the games that the key names</td></tr>
<tr><td><code>queues:organizer</code></td><td>Queues and bans of the organizers that the key names</td></tr>
</tbody>
</table></div>

<h2>2. Stay within your rate</h2>
<p>Each key has a rate of its own; as many requests may also come at once. Every answer says how it stands:</p>
<pre><code>ratelimit-limit: 10, 10;w=1
ratelimit-remaining: 7
ratelimit-reset: 1</code></pre>
<p>Above it the answer is 429; wait as many seconds as <code>Retry-After</code> says.</p>

<h2>3. Page, and ask again cheaply</h2>
<ul>
<li>Lists take <code>offset</code> and <code>limit</code>; their answers hold <code>start</code>, <code>end</code> and <code>items</code>. The bounds
stand at each operation.</li>
<li>The header <code>Link</code> has the address of the next page (<code>rel="next"</code>) and of the one before (<code>rel="prev"</code>). Following
it costs the same however deep you are.</li>
<li>Send an answer's <code>ETag</code> back in <code>If-None-Match</code>: what has not changed comes as 304 without a body.</li>
<li><code>Accept-Encoding: gzip</code> makes large answers small.</li>
<li>Values such as status or type may grow; read one that you do not know as such. So may objects: skip fields that you do not know.</li>
</ul>

<h2>4. Errors</h2>
<pre><code>HTTP/1.1 400 Bad Request
{"errors":[{"message":"limit: …","code":"err_br0","http_status":400,"parameters":["limit"]}]}</code></pre>
<div class="wide"><table>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
<tbody>
<tr><td>400</td><td><code>err_br0</code></td><td>A parameter is not valid; <code>parameters</code> names it</td></tr>
<tr><td>401</td><td><code>err_u0</code></td><td>No key, or one that is unknown, revoked or expired</td></tr>
<tr><td>403</td><td><code>err_f0</code></td><td>The key's scopes do not allow it, or it belongs to the other environment</td></tr>
<tr><td>404</td><td><code>err_nf0</code></td><td>The path or an identifier in it names nothing</td></tr>
<tr><td>405</td><td><code>err_m0</code></td><td>Another method than GET and HEAD</td></tr>
<tr><td>408</td><td><code>err_t0</code></td><td>The request took too long to arrive</td></tr>
<tr><td>413</td><td><code>err_p0</code></td><td>A body, which no read needs, that is too large</td></tr>
<tr><td>429</td><td><code>err_rl0</code></td><td>Above the key's rate; <code>Retry-After</code> says when to come back</td></tr>
<tr><td>431</td><td><code>err_h0</code></td><td>Headers of more than 16 KiB, or more than 100 of them</td></tr>
<tr><td>500</td><td><code>err_i0</code></td><td>Our fault; ask again later and name the request id if it stays</td></tr>
<tr><td>503</td><td><code>err_un0</code></td><td>Our fault; ask again after <code>Retry-After</code></td></tr>
</tbody>
</table></div>
<p>Each answer carries <code>x-request-id</code>; name it when you ask us. The codes of all edges are in the
<a href="/docs/errors">error catalogue</a>.</p>
`;
