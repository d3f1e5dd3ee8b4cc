import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectStates, renderState, shownNames } from '../../test/connect-states';
import { OwnOrigin } from '../browser/own-origin';
import { Pages } from './pages';
import { Catalogue, english } from './texts';

/** A locale in which each text is in brackets and has accents, so that a text from elsewhere stands out. */
const pseudo: Catalogue = {
  language: 'ja',
  texts: inBrackets(english.texts),
  failures: inBrackets(english.failures),
  partnerReasons: inBrackets(english.partnerReasons),
  problems: inBrackets(english.problems),
};

/** Attributes that a user sees or hears. */
const shownAttributes = /\b(?:aria-label|title|alt|placeholder|data-[a-z-]+)="([^"]*)"/g;
/** Attributes for the script and the styles. */
const technicalAttributes = /\bdata-(?:state|user|poll|target-origin|linked|disconnected)="[^"]*"/g;

describe('the pages of /connect', () => {
  const pages = new Pages(new OwnOrigin('https://podium.example'), pseudo);
  const texts = connectStates.map((state) => [state.name, renderState(pages, state)] as const);

  it.each(texts)('take all texts of "%s" from the catalogue', (_name, { html }) => {
    expect(html).toContain('<html lang="ja">');
    const shown = [
      ...html
        .replace(/<time[^>]*>.*?<\/time>/gs, '')
        .split(/<[^>]*>/)
        .map((text) => text.trim()),
      ...[...html.replace(technicalAttributes, '').matchAll(shownAttributes)].map(([, value]) => value),
    ];
    for (const text of shown) expect(withoutCatalogue(text)).toBe('');
  });

  it('use every text of the catalogue', () => {
    const all = texts.map(([, { html }]) => html).join('');
    const unused = [pseudo.texts, pseudo.failures, pseudo.partnerReasons, pseudo.problems]
      .flatMap((group) => Object.entries(group))
      .filter(([, text]) => !all.includes(filledIn(text)));
    expect(unused.map(([name]) => name)).toEqual([]);
  });

  it("are quoted as they are by the document about a partner server of one's own", () => {
    const document = readFileSync(join(__dirname, '../../../../docs/partner-server.md'), 'utf8');
    const quoted = [...document.matchAll(/“([^”]+)”/g)].map(([, text]) => text);
    const shown = connectStates.map(
      (state) => renderState(new Pages(new OwnOrigin('https://podium.example')), state).html,
    );
    expect(quoted).not.toEqual([]);
    for (const text of quoted) expect(shown.join('')).toContain(text.replace('My Shop', shownNames.partner));
  });

  it('have no texts in their script', () => {
    const script = readFileSync(join(__dirname, 'assets', 'connect.mjs'), 'utf8').replace(/\/\*.*?\*\/|\/\/.*/gs, '');
    const literals = [...script.matchAll(/'([^'\n]*)'|`([^`\n]*)`/g)].map(([, plain, template]) => plain ?? template);
    expect(literals.filter((literal) => /^[A-Z][a-z]+\b|[a-z] [a-z]+ [a-z]/.test(literal))).toEqual([]);
  });

  it('show no error code of a partner and no text of an error', () => {
    const plain = new Pages(new OwnOrigin('https://podium.example'));
    for (const state of connectStates) {
      const visible = renderState(plain, state).html.replace(/<[^>]*>/g, ' ');
      expect(visible).not.toMatch(/\b[a-z]+_[a-z_]+\b/);
      expect(visible).not.toMatch(/undefined|null|\{partner\}|\{nickname\}/);
    }
  });
});

function inBrackets<Group extends Readonly<Record<string, string>>>(group: Group): Record<keyof Group, string> {
  const accents: Readonly<Record<string, string>> = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú' };
  const entries = Object.entries(group).map(([name, text]) => {
    const accented = text
      .split(/(\{\w+\})/)
      .map((part) => (part.startsWith('{') ? part : part.replace(/[aeiou]/g, (letter) => accents[letter])));
    return [name, `⟦${accented.join('')}⟧`];
  });
  return Object.fromEntries(entries) as Record<keyof Group, string>;
}

/** What is left of a shown text without texts of the catalogue and names from data. */
function withoutCatalogue(text: string): string {
  let left = text;
  // A text may be within another, as the name of a partner that is not known.
  while (/⟦[^⟦⟧]*⟧/.test(left)) left = left.replace(/⟦[^⟦⟧]*⟧/g, '');
  return Object.values(shownNames)
    .reduce((rest, name) => rest.replaceAll(name, ''), left)
    .replace(/&[a-z]+;|&#\d+;/g, '')
    .replace(/[^\p{L}]/gu, '');
}

/** As the page has it: with names, escaped. */
function filledIn(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll("'", '&#39;').replaceAll('"', '&quot;');
  const [before] = escaped.split(/\{\w+\}/);
  return before;
}
