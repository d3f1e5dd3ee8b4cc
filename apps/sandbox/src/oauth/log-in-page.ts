import { escapeHtml, page } from '../pages/page';
import { modeOptions } from '../pages/mode-options';
import { Partner } from '../partners/partner';

/** The partner's authorization page. A mode chosen there applies to this log-in and to the tokens that come from it. */
export function logInPage(partner: Partner, query: Record<string, string | undefined>): string {
  const action = `/partners/${encodeURIComponent(partner.name)}/authorize?${new URLSearchParams(query as Record<string, string>)}`;
  return page(
    `Log in at ${partner.name}`,
    `<h1>${escapeHtml(partner.name)}</h1>
<p class="banner">Sandbox partner: any account name works, there is no password.</p>
<form method="post" action="${escapeHtml(action)}">
<label>Account <input name="account" maxlength="64" autocomplete="username" autofocus value="lucky-fox"></label>
<label>Mode of this log-in <select name="mode">${modeOptions(null)}</select></label>
<button type="submit" name="action" value="allow">Log in and connect</button>
<button type="submit" name="action" value="fail" class="plain">Fail the log-in</button></form>`,
  );
}
