/**
 * A document without fields that reads add. Undeclared fields are stored as they come, so these would be served where nobody
 * asked for them, and twice where somebody did.
 */
export function withoutAdded<Document extends object>(document: Document, added: readonly string[]): Document {
  if (!added.some((name) => name in document)) return document;
  return Object.fromEntries(Object.entries(document).filter(([name]) => !added.includes(name))) as Document;
}
