import { Marked } from 'marked';

/** Pages of the repository that are served under another address. */
const servedAt: Readonly<Record<string, string>> = {
  '../partner-server.md': '/docs/partner-server',
  '../errors.md': '/docs/errors',
};

/** A page of this repository, written in Markdown, as the content of a page here; headings are anchors by their text. */
export function markdownPage(source: string): { readonly title: string; readonly content: string } {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        // The layout has the title already.
        if (depth === 1) return '';
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      table(token) {
        const cell = (name: 'th' | 'td', tokens: (typeof token.header)[number]['tokens']): string =>
          `<${name}>${this.parser.parseInline(tokens)}</${name}>`;
        const rows = token.rows.map((row) => `<tr>${row.map(({ tokens }) => cell('td', tokens)).join('')}</tr>`);
        const header = token.header.map(({ tokens }) => cell('th', tokens)).join('');
        return `<div class="wide"><table><thead><tr>${header}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>\n`;
      },
    },
    walkTokens: (token) => {
      if (token.type === 'link') token.href = servedAt[token.href as string] ?? token.href;
    },
  });
  return { title: /^# (.+)$/m.exec(source)?.[1] ?? '', content: marked.parse(source, { async: false }) };
}

function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9_ -]/g, '')
    .replaceAll(' ', '-');
}
