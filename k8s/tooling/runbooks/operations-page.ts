import * as fs from 'node:fs';
import * as path from 'node:path';
import { checkoutFolder } from '../../../tools/stack/folders';

/** Folder of all pages for operators, below the checkout. */
export const operationsFolder = 'docs/operations';

/** A page for operators, runbooks included. */
export interface OperationsPage {
  /** From the folder of the pages, with `.md`. */
  readonly name: string;
  readonly text: string;
}

/** All pages. */
export function readOperationsPages(): OperationsPage[] {
  const folder = path.join(checkoutFolder, operationsFolder);
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => ({ name, text: fs.readFileSync(path.join(folder, name), 'utf8') }));
}

const block = /^( *)```(\w*)\n([\s\S]*?)^\1```$/gm;

/** The content of a page's blocks of a language, each without its indentation. */
export function blocksOf(text: string, language: string): string[] {
  return [...text.matchAll(block)]
    .filter(([, , name]) => name === language)
    .map(([, indent, , body]) => body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
}

/** What a page has in single backticks, outside of its blocks. */
export function inlineCodeOf(text: string): string[] {
  return [...text.replace(block, '').matchAll(/`([^`\n]+)`/g)].map(([, code]) => code);
}
