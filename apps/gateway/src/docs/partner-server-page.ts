/** A complete partner server as an example; its source is `docs/examples/partner-server.mjs`. */
export const partnerServerTemplate = `<p>The three endpoints of account linkage and the sending of events, in one file without dependencies. Any name can log in, and nothing is
stored: yours has its own log-in, and stores accounts, tokens, and events that are not accepted yet.</p>
<p>It runs on Node 20.6 or newer: <code>node --env-file=partner.env partner-server.mjs</code>. Its variables:</p>
<div class="wide"><table>
<thead><tr><th scope="col">Variable</th><th scope="col">Meaning</th><th scope="col">Provided by</th></tr></thead>
<tbody>
<tr><td><code>PORT</code></td><td>The port on 127.0.0.1</td><td>you</td></tr>
<tr><td><code>CLIENT_ID</code>, <code>CLIENT_SECRET</code></td><td>Authenticate our requests at your token endpoint</td><td>you, and you send them to us</td></tr>
<tr><td><code>PLATFORM</code></td><td>Your name at this service, sent with every event</td><td>us</td></tr>
<tr><td><code>REDIRECT_URL</code></td><td>Where users return to; it ends with the id of your integration</td><td>us</td></tr>
<tr><td><code>SEND_EVENT_URL</code></td><td><code><%= it.publicUrl %>/cdp/v1/users/events/send</code></td><td>us</td></tr>
<tr><td><code>EVENT_API_KEY</code></td><td>Your event key for this environment</td><td>us</td></tr>
</tbody>
</table></div>
<p>We call partners over https at public addresses. To try everything on one machine, follow <code>docs/partner-server.md</code> in Podium's sources:
it registers this server with a local Podium, links a user and sends an event that earns an award.</p>
<pre><code><%= it.source %></code></pre>
`;
