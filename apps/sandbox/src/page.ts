/** Text made safe to stand in HTML content or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** A complete page of the sandbox around a body that is already HTML. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
:root{color-scheme:light dark;font-family:system-ui,sans-serif;line-height:1.5}
body{max-width:34rem;margin:2.5rem auto;padding:0 1.25rem}
.banner{border-left:.3rem solid #d97706;padding:.25rem .75rem;font-size:.9rem;opacity:.85}
form{display:grid;gap:.75rem;margin:1.25rem 0}
label{display:grid;gap:.25rem;font-weight:600}
input,button{font:inherit;padding:.6rem .75rem;border-radius:.4rem;border:1px solid #8888}
button{cursor:pointer;background:#1d4ed8;color:#fff;border-color:#1d4ed8;font-weight:600}
button.plain{background:transparent;color:inherit;border-color:#8888}
table{border-collapse:collapse;width:100%;font-size:.9rem}td,th{text-align:left;padding:.35rem .5rem;border-bottom:1px solid #8884}
</style></head><body>${body}</body></html>`;
}
