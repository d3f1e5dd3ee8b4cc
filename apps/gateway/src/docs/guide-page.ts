/** The integration guide for partners' developers; the rules are those of the specification. */
export const guideTemplate = `<p>Link your users' accounts with ours, then send us events about what they do. We use the events for segments and bonus tasks.
This is the <strong><%= it.environment %></strong> environment at <code><%= it.publicUrl %></code>; test and production have
different addresses and different keys.</p>

<h2>1. Link accounts</h2>
<p>You host three endpoints; we are the OAuth 2.0 client (authorization code).</p>
<div class="wide"><table>
<thead><tr><th scope="col">Endpoint</th><th scope="col">What it does</th></tr></thead>
<tbody>
<tr><td>Authorization page, any path</td><td>We send the user there with <code>response_type=code</code>, <code>client_id</code>,
<code>redirect_uri</code>, <code>state</code> and, if agreed, <code>scope</code>. Check that <code>redirect_uri</code> equals the one registered for
the client, let the user log in, and redirect there with <code>code</code> and the same <code>state</code>, or with <code>error</code>.</td></tr>
<tr><td><code>POST {partner_url}/oauth2/token</code></td><td>Form body, HTTP Basic with client_id and client_secret. Returns
<code>{"access_token","refresh_token"}</code> for <code>authorization_code</code> and <code>refresh_token</code>.</td></tr>
<tr><td><code>GET {partner_url}/oauth2/userinfo</code></td><td>Bearer token. Returns <code>{"sub","nickname"}</code>; without
nicknames, return the user id as nickname.</td></tr>
</tbody>
</table></div>
<p>Errors of these endpoints are 4XX with <code>{"error":"…"}</code>. We give you the redirect URL and our IP addresses; you give us
<code>client_id</code> and <code>client_secret</code>. One integration belongs to one organizer: a single consolidated customer
database is recommended; with several, each needs an integration of its own.</p>
<% if (it.hasLinking) { %><p><a href="/docs/linking">Account linking</a> has the rules, the sequence, servers in Node and Python, and a check of your server that
needs no account with us.</p>
<% } %><% if (it.hasSample) { %><p><a href="/docs/partner-server">A partner server</a> shows all of this in 65 lines, including the sending of events.</p>
<% } %>

<h2>2. Agree on events</h2>
<p>Event names and attribute names are agreed first, and compared byte for byte. An event with a name that is not agreed is refused;
an attribute that is not agreed is dropped and listed in the response.</p>

<h2>3. Send events</h2>
<pre><code>curl -i <%= it.publicUrl %>/cdp/v1/users/events/send \\
  -H 'Authorization: Bearer podium_<%= it.environment %>_ev_…' \\
  -H 'Content-Type: application/json' \\
  -d '{
    "platform": "your-platform-name",
    "platform_user_id": "the sub of your user info response",
    "event": {
      "id": "deposit-93f1",
      "name": "deposit",
      "created_at": 1767225600,
      "attributes": [{"name": "amount", "value": "25.00"}, {"name": "currency", "value": "EUR"}]
    }
  }'</code></pre>
<p>Accepted:</p>
<pre><code>HTTP/1.1 200 OK
{"outcome":"accepted","event_id":"deposit-93f1","dropped_attributes":[]}</code></pre>
<ul>
<li><code>created_at</code> is the time of the event, Unix time in <strong>seconds</strong>; values are always strings.</li>
<li><code>id</code> is unique per distinct event. An id that was already accepted changes nothing and returns 200 with
<code>"outcome":"duplicate"</code>, so sending again is always safe.</li>
<li>Send events only after the user has linked; until then the response is <a href="/docs/errors#user_not_linked"><code>user_not_linked</code></a>.</li>
<li>Right after linking, send the events that already happened (e-mail confirmed, KYC passed, the latest deposit): required to launch.
Later, send every new event.</li>
<li>A body contains one event and has at most 64 KiB.</li>
</ul>

<h3>Several events in one request</h3>
<pre><code>curl -i <%= it.publicUrl %>/cdp/v1/users/events/batch \\
  -H 'Authorization: Bearer podium_<%= it.environment %>_ev_…' \\
  -H 'Content-Type: application/json' \\
  -d '{"events": [{"platform": "your-platform-name", "platform_user_id": "…", "event": {…}}, …]}'</code></pre>
<p>Each event is what a single request has, and has a result of its own, in the order of the request: the status, body and
Retry-After that it would have got alone.</p>
<pre><code>HTTP/1.1 207 Multi-Status
{"results":[
  {"status":200,"body":{"outcome":"accepted","event_id":"deposit-93f1","dropped_attributes":[]}},
  {"status":404,"retry_after":60,"body":{"error":{"code":"user_not_linked","message":"…","retry":"later"}}}]}</code></pre>
<ul>
<li>200 means that every event is accepted or a duplicate. With 207 at least one is not: read its result, and send it again
as its <code>retry</code> says. Any other status is that of the whole request, and none of its events is accepted.</li>
<li>At most <%= it.maxBatchEvents %> events at the rate below, and 1 MiB. Each event counts against the rate; those above it have a result
with status 429, and the others are accepted.</li>
</ul>

<h3>With the SDK for TypeScript and JavaScript</h3>
<p>The package <code>@podium/partner</code> does what this page asks of a sender: it keeps events in a queue on disk until they are
accepted, retries each error by its class, and stays within the rate. You get it from us as an archive, which needs Node 20 and no
other package. Its README has the details.</p>
<pre><code>const podium = await PodiumClient.open({
  url: '<%= it.publicUrl %>',
  apiKey: () =&gt; process.env.PODIUM_EVENT_KEY,
  platform: 'your-platform-name',
  queue: { folder: '/var/lib/my-shop/podium-events' },
});
await podium.enqueue({ id: 'deposit-93f1', platformUserId: 'user-1', name: 'deposit', createdAt: new Date() });</code></pre>

<h2>4. Retry</h2>
<p>Every event must arrive: retry every error until the response is 200, with the <strong>same id</strong>.</p>
<ul>
<li>Wait at least the time in <code>Retry-After</code>; without it, start at one second and double up to a few minutes.</li>
<li>Every error says in <code>error.retry</code> how: <code>now</code> after Retry-After; <code>later</code> on a slow schedule of its own,
while other events go on; <code>pause</code> means that somebody has to correct the address, key or integration first;
<code>never</code> that the same bytes cannot succeed. The <a href="/docs/errors">error catalogue</a> explains each code.</li>
<li>No response, or 503: the event was not accepted, or its outcome is unknown; retry it.</li>
</ul>
<p>Every response has an <code>x-request-id</code>; quote it when you contact us. All codes are in the <a href="/docs/errors">error catalogue</a>.</p>

<h3>What was refused, and what is negotiated</h3>
<ul>
<li><code>GET /cdp/v1/refusals</code> lists your refused events of the last seven days, newest first: event id, code, field, how often,
and the last <code>x-request-id</code>.</li>
<li><code>GET /cdp/v1/contract</code> has the event names and attributes that are in force and those that will be, a JSON Schema of each
event, and your rate. Send its <code>ETag</code> back in <code>If-None-Match</code>: 304 means that nothing has changed.</li>
</ul>
<p>Both need a key with the scope <code>events:read</code>, which yours has unless we agreed otherwise, and each request takes one event
of your rate.</p>
<pre><code>curl -i <%= it.publicUrl %>/cdp/v1/refusals?limit=10 -H 'Authorization: Bearer podium_<%= it.environment %>_ev_…'</code></pre>

<h2>5. Reconcile</h2>
<p>After an incident, or once a day, ask which of your events never arrived: <code>POST /cdp/v1/users/events/reconcile</code> takes up to
10,000 ids and returns those that were never accepted. Send these events again, with the same ids.</p>
<pre><code>curl -i <%= it.publicUrl %>/cdp/v1/users/events/reconcile \\
  -H 'Authorization: Bearer podium_<%= it.environment %>_ev_…' \\
  -H 'Content-Type: application/json' \\
  -d '{"ids": ["deposit-93f1", "deposit-93f2"]}'</code></pre>
<pre><code>HTTP/1.1 200 OK
{"missing":["deposit-93f2"]}</code></pre>
<ul>
<li>An id in <code>missing</code> had no 200 before your request. Every other id was accepted, however long ago: ids are kept for good.</li>
<li>503 says that the answer is not certain at this moment: repeat the request after <code>Retry-After</code>.</li>
<li>At most 4 questions per second, reconcile and status together, and one reconcile request under way. They do not count against
the rate of events. The key needs the scope <code>events:read</code>.</li>
<li>One id: <code>GET /cdp/v1/users/events/status?id=deposit-93f1</code>, percent-encoded, returns <code>{"accepted":true}</code>.</li>
<li>The package of the SDK has commands for files of any size: <code>npx podium-partner reconcile events.ndjson</code> and
<code>npx podium-partner status deposit-93f1</code>.</li>
</ul>

<h2>6. Limits</h2>
<ul>
<li><%= it.eventRatePerSecond %> events per second per platform, and <%= it.eventRatePerSecond %> at once, over all of its keys, unless we agreed on
another rate; <code>GET /cdp/v1/contract</code> has yours. <code>RateLimit-Remaining</code> and
<code>RateLimit-Reset</code> report what is left; above the rate the response is 429.</li>
<li>500 events are stored per user, month and event name; when more arrive, the oldest of that name are dropped.</li>
<li>Repeatable events are stored for six months.</li>
<li>Two keys may be valid at once: get the second, switch to it, and have the first revoked.</li>
</ul>

<h2>Reference</h2>
<ul>
<% for (const api of it.apis) { %>
<li><a href="/docs/api/<%= api.name %>"><%= api.title %></a> (<a href="/docs/openapi/<%= api.name %>.json">OpenAPI</a>)</li>
<% } %>
<li><a href="/docs/errors">Error catalogue</a></li>
</ul>
`;
