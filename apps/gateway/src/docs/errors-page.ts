/** The error catalogue: one row per code, each with an address of its own. */
export const errorsTemplate = `<p>An error answer has one shape; its <code>code</code> is stable, its <code>message</code> names the field at fault.
Every error may be retried; <code>Retry-After</code> says when that makes sense.</p>
<pre><code>{"error":{"code":"user_not_linked","message":"…"}}</code></pre>
<p>Under <code>/data/v4</code> the shape is another one, and its <code>code</code> is that of the column Data code:</p>
<pre><code>{"errors":[{"message":"…","code":"err_nf0","http_status":404,"parameters":[]}]}</code></pre>
<div class="wide"><table>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Data code</th><th scope="col">Meaning</th><th scope="col">Retry-After</th></tr></thead>
<tbody>
<% for (const row of it.rows) { %>
<tr id="<%= row.code %>"><td><%= row.status %></td><td><a href="#<%= row.code %>"><code><%= row.code %></code></a></td><td><code><%= row.dataCode %></code></td><td><%= row.publicSentence %></td><td><%= row.retryAfterS === undefined ? '–' : row.retryAfterS + ' s' %></td></tr>
<% } %>
</tbody>
</table></div>
`;
