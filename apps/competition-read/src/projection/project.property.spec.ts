import { CompetitionKind, competitionKindNames, competitionKinds, servedText } from '@podium/messages';
import { Value } from '@sinclair/typebox/value';
import { arbitraryOf } from '@podium/testing/schema-arbitrary';
import * as fc from 'fast-check';
import type { DocumentContent } from './document-content';
import { listingKey } from './listing-rows';
import { lists } from './lists';
import { project } from './project';

/** Maximum size of an index entry, bytes: a third of a page less its header. */
const indexEntryBytes = 2_704;

describe.each(competitionKindNames)('projecting any %s', (kind) => {
  it('produces rows that the tables can hold, and the same rows from the stored text', () => {
    fc.assert(
      fc.property(arbitraryContent(kind), (content) => {
        expect(Value.Check(competitionKinds[kind].document, content.document)).toBe(true);
        const projection = project(content);
        for (const row of projection.listings) {
          expect(lists).toHaveProperty(row.list);
          expect(row.body === null).toBe(lists[row.list].item !== 'own body');
          expect(Number.isSafeInteger(row.sort)).toBe(true);
          expectStorable(row.owner, row.filter, row.id);
        }
        const places = projection.listings.map(listingKey);
        expect(new Set(places).size).toBe(places.length);
        for (const { name, tags } of projection.names) {
          expect(name).not.toBe('');
          expectStorable(name);
          expect([...new Set(tags)].sort()).toEqual(tags);
        }
        for (const { board, score, playerId, body } of projection.boards) {
          expectStorable(board, playerId);
          expect(score | 0).toBe(score);
          expect(JSON.parse(servedText(body, 'platform'))).not.toEqual({});
        }
        expect(project({ ...content, document: reread(projection.body) } as DocumentContent)).toEqual(projection);
      }),
      { numRuns: 60 },
    );
  });
});

function arbitraryContent(kind: CompetitionKind): fc.Arbitrary<DocumentContent> {
  const row = competitionKinds[kind];
  return fc
    .record({
      id: fc.oneof(
        fc.constantFrom('one', '字'.repeat(512)),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 36 }),
      ),
      document: arbitraryOf(row.document),
      beside: arbitraryOf(row.beside),
    })
    .map((given) => ({ kind, ...given }) as DocumentContent);
}

/** The document as it is stored when its next change arrives. */
function reread(body: string): unknown {
  return JSON.parse(servedText(body, 'platform'));
}

function expectStorable(...texts: string[]): void {
  for (const text of texts) {
    expect(text.isWellFormed()).toBe(true);
    expect(text).not.toContain('\0');
  }
  expect(Buffer.byteLength(texts.join(''))).toBeLessThan(indexEntryBytes - 100);
}
