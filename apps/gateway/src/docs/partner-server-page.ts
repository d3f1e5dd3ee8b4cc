/** A whole partner server to begin with; its source is that of `docs/examples/partner-server.mjs`. */
export const partnerServerTemplate = `<p>The three endpoints of account linkage and the sending of events, in one file without dependencies. Any name logs in, and it keeps
nothing: yours has its own log-in, and stores accounts, tokens, and events that are not accepted yet.</p>
<p>It runs on Node 20.6 or newer: <code>node --env-file=partner.env partner-server.mjs</code>. What it is given:</p>
<div class="wide"><table>
<thead><tr><th scope="col">Variable</th><th scope="col">What it is</th><th scope="col">Who makes it</th></tr></thead>
<tbody>
<tr><td><code>PORT</code></td><td>Where it listens on 127.0.0.1</td><td>you</td></tr>
<tr><td><code>CLIENT_ID</code>, <code>CLIENT_SECRET</code></td><td>What authorizes our requests at your token endpoint</td><td>you, and you tell us</td></tr>
<tr><td><code>PLATFORM</code></td><td>Your name at this service, sent with every event</td><td>we</td></tr>
<tr><td><code>REDIRECT_URL</code></td><td>Where users go back to; it ends with the id of your integration</td><td>we</td></tr>
<tr><td><code>SEND_EVENT_URL</code></td><td><code><%= it.publicUrl %>/cdp/v1/users/events/send</code></td><td>we</td></tr>
<tr><td><code>EVENT_API_KEY</code></td><td>Your event key, of this environment</td><td>we</td></tr>
</tbody>
</table></div>
<p>We call partners by https at public addresses. To try it all on one machine, the page <code>docs/partner-server.md</code> of Podium's sources
registers this server with a Podium that runs beside it, links a user and sends an event that is awarded.</p>
<pre><code><%= it.source %></code></pre>
`;
