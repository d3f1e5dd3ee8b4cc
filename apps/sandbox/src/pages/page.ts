/** Escapes text for HTML content or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** The icon in a browser's tab: the podium of the service's pages, in the colour of the sandbox. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#b45309"/><g fill="#fff"><rect x="6" y="15" width="6" height="10" rx="1.5"/><rect x="13" y="7" width="6" height="18" rx="1.5"/><rect x="20" y="18" width="6" height="7" rx="1.5"/></g></svg>';

/** A complete page of the sandbox around a body that is already HTML. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}">
<style>
:root{color-scheme:light dark;font-family:system-ui,sans-serif;line-height:1.5;--good:#0f6b41;--bad:#b3202c}
@media (prefers-color-scheme:dark){:root{--good:#6fdca4;--bad:#ff9aa2}}
*{box-sizing:border-box}
body{max-width:38rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere;background:Canvas;color:CanvasText}
h1{font-size:1.6rem;line-height:1.2}
.banner{border-left:.3rem solid #d97706;padding:.25rem .75rem;font-size:.9rem}
form{display:grid;gap:.75rem;margin:1.25rem 0}
label{display:grid;gap:.25rem;font-weight:600}
label.check{display:flex;gap:.5rem;align-items:center;font-weight:400}
input,select,button{font:inherit;min-width:0;max-width:100%;padding:.6rem .75rem;border-radius:.4rem;border:1px solid #767676}
button{cursor:pointer;background:#1d4ed8;color:#fff;border-color:#1d4ed8;font-weight:600}
button.plain{background:transparent;color:inherit;border-color:#767676}
:focus-visible{outline:2px solid #1d4ed8;outline-offset:2px}
.error{margin:0;color:var(--bad);font-weight:600}
.soft{font-size:.9rem;opacity:.85}
.events{list-style:none;padding:0}
.events li{padding:.75rem 0;border-top:1px solid #8886}
.events p{margin:.15rem 0}
.again{margin:.35rem 0 0}
.again button{justify-self:start;padding:.2rem .75rem;font-size:.9rem}
.pill{display:inline-block;padding:0 .6rem;border:1px solid;border-radius:1rem;font-size:.85rem}
.accepted,.duplicate,.award{color:var(--good)}
.retrying{color:var(--bad)}
</style></head><body><main>${body}</main></body></html>`;
}
