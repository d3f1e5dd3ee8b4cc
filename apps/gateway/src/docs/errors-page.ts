/** The error catalogue: one row per code, each with its own anchor. */
export const errorsTemplate = `<p>All error responses have this format. The <code>code</code> is stable; the <code>message</code> names the invalid field.
Every error may be retried, after the time in <code>Retry-After</code> if there is one.</p>
<pre><code>{"error":{"code":"user_not_linked","message":"…"}}</code></pre>
<p>The column Retry says what a sender of events does: <em>now</em>, send the event again after <code>Retry-After</code>, then with
growing delays; <em>later</em>, set it aside so that it blocks no other event; <em>pause</em>, stop sending and tell a person;
<em>never</em>, keep it for a person, because the same bytes cannot succeed.</p>
<p>Under <code>/data/v4</code> the format is different, and <code>code</code> is the one in the column Data code:</p>
<pre><code>{"errors":[{"message":"…","code":"err_nf0","http_status":404,"parameters":[]}]}</code></pre>
<div class="wide"><table>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Data code</th><th scope="col">Meaning</th><th scope="col">Retry</th><th scope="col">Retry-After</th></tr></thead>
<tbody>
<% for (const row of it.rows) { %>
<tr id="<%= row.code %>"><td><%= row.status %></td><td><a href="#<%= row.code %>"><code><%= row.code %></code></a></td><td><code><%= row.dataCode %></code></td><td><%= row.publicSentence %></td><td><%= row.retry %></td><td><%= row.retryAfterS === undefined ? '–' : row.retryAfterS + ' s' %></td></tr>
<% } %>
</tbody>
</table></div>
`;
