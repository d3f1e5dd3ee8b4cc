import { servedText } from '@podium/messages';
import type { DocumentContent } from './document-content';
import type { DocumentRow } from './documents.store';

/** The texts of a stored document. */
export type StoredTexts = Pick<DocumentRow, 'kind' | 'id' | 'beside'> & { readonly body: string };

/** A document as it was published; its stored text has markers in place of the public name. */
export function storedContent({ kind, id, body, beside }: StoredTexts): DocumentContent {
  const document: unknown = JSON.parse(servedText(body, 'platform'));
  return { kind, id, document, beside: JSON.parse(beside ?? '{}') as unknown } as DocumentContent;
}
