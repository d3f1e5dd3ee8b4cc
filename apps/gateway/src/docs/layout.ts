/** The layout of every page; `content` is HTML made by another template. */
export const layoutTemplate = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title><%= it.title === 'Podium' ? 'Podium' : it.title + ' · Podium' %></title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/assets/style.css">
</head>
<body>
<header>
<a class="home" href="/">Podium</a> <span class="environment"><%= it.environment %></span>
<nav aria-label="Documentation"><a href="/docs/">Guide</a> <a href="/docs/data">Data</a> <a href="/docs/errors">Errors</a></nav>
</header>
<% if (it.isReference) { %><%~ it.content %><% } else { %>
<main>
<h1><%= it.title %></h1>
<%~ it.content %>
</main>
<% } %>
</body>
</html>
`;

/** Style of the pages: readable on a phone, by keyboard, in the dark. */
export const styleSheet = `:root { color-scheme: light dark; --edge: #8886; --mark: #0b62c4; }
@media (prefers-color-scheme: dark) { :root { --mark: #7db8ff; } }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.6 system-ui, sans-serif; }
header, main { max-width: 52rem; margin: 0 auto; padding: 1rem; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: baseline; border-bottom: 1px solid var(--edge); }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin-left: auto; }
.home { font-weight: 700; color: inherit; text-decoration: none; }
.home:hover { text-decoration: underline; }
.lead { font-size: 1.1rem; }
.fine { margin-top: 2.5rem; font-size: .9rem; }
.places { margin: 0; padding: 0; list-style: none; }
.places li { padding: .7rem 0; border-bottom: 1px solid var(--edge); }
.places li > a { font-weight: 600; }
.places span { display: block; font-size: .95rem; }
a { color: var(--mark); }
a:focus-visible { outline: 2px solid var(--mark); outline-offset: 2px; }
h1 { font-size: 1.6rem; line-height: 1.2; }
h2 { margin-top: 2.5rem; font-size: 1.25rem; }
.environment { border: 1px solid var(--edge); border-radius: 1rem; padding: 0 .6rem; font-size: .85rem; }
img { max-width: 100%; height: auto; }
pre { overflow-x: auto; padding: .8rem; border: 1px solid var(--edge); border-radius: .4rem; font-size: .85rem; }
code { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
pre code { overflow-wrap: normal; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .95rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid var(--edge); }
tr:target { outline: 2px solid var(--mark); }
`;
