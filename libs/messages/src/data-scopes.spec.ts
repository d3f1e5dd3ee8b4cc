import fc from 'fast-check';
import { decodeScopes, encodeScopes } from './data-scopes';
import { KeyScope } from './events/api-key';

const ids = fc.array(fc.string({ unit: 'grapheme', maxLength: 8 }), { maxLength: 4 });
const scope: fc.Arbitrary<KeyScope> = fc.oneof(
  fc.constant({ scope: 'data:read' as const }),
  ids.map((game_ids) => ({ scope: 'queues:developer' as const, game_ids })),
  ids.map((organizer_ids) => ({ scope: 'queues:organizer' as const, organizer_ids })),
);

describe('scopes in a header', () => {
  it('are decoded as they were encoded, in visible ASCII and spaces only', () => {
    fc.assert(
      fc.property(fc.array(scope, { maxLength: 4 }), (scopes) => {
        const text = encodeScopes(scopes);
        expect(text).toMatch(/^[\x20-\x7e]*$/);
        expect(decodeScopes(text)).toEqual(scopes);
      }),
    );
  });

  it('are encoded in a readable form', () => {
    expect(
      encodeScopes([
        { scope: 'data:read' },
        { scope: 'queues:developer', game_ids: ['cs2', 'dota2'] },
        { scope: 'queues:organizer', organizer_ids: ['acme'] },
      ]),
    ).toBe('data:read queues:developer=cs2,dota2 queues:organizer=acme');
  });

  it.each(['data:write', 'data:read=cs2', 'data:read  data:read', 'queues:developer=%zz', 'queues', ' '])(
    'are refused as %j',
    (text) => expect(decodeScopes(text)).toBeNull(),
  );
});
