import { Type } from '@sinclair/typebox';
import { EventDefinition, decodeRecord } from './envelope';
import { bonusAwardAnswered } from './events/bonus-award';

/** A schema whose check recurses once per level of the value. */
const recursive = {
  type: 'tree.grown',
  schemaVersion: 1,
  data: Type.Recursive((This) => Type.Array(This)),
  idempotencyKey: [],
  summary: '',
} satisfies EventDefinition;

const definitions = [bonusAwardAnswered, recursive];
const deep = '['.repeat(20_000) + ']'.repeat(20_000);
const rest = '"id":"r","schema_version":1,"revision":0,"occurred_at":1,"key":"k","source":"s"';

describe('decodeRecord', () => {
  it.each([
    ['as the type', `{"type":${deep}}`, 'unknown event type (object)'],
    ['at the top', deep, 'unknown event type (undefined)'],
    ['as the data', `{"type":"bonus.award.answered",${rest},"data":${deep}}`, '/data: '],
    [
      'where the check recurses',
      `{"type":"tree.grown",${rest},"data":${deep}}`,
      'the value cannot be checked: RangeError',
    ],
  ])('says why a value that is nested deeper than the stack is none: %s', (_place, text, reason) => {
    const decoded = decodeRecord(definitions, Buffer.from(text));
    expect(decoded).toEqual({ ok: false, reason: expect.stringContaining(reason) as string });
  });

  it('shows at most 100 characters of an unknown type', () => {
    const decoded = decodeRecord(definitions, Buffer.from(JSON.stringify({ type: 'x'.repeat(1_000_000) })));
    expect(decoded).toEqual({ ok: false, reason: `unknown event type "${'x'.repeat(100)}"` });
  });
});
