import { referenceHeader, referenceOf, referenceText } from './dead-letter-reference';

const reference = {
  kind: 'batch' as const,
  topic: 'bonus.award-results.v1',
  partition: 3,
  firstOffset: 40n,
  lastOffset: 45n,
  digest: 'ab'.repeat(32),
  sizeBytes: 512,
};

describe('the reference of a dead letter', () => {
  it('is parsed as it was written, and is plain JSON', () => {
    const text = referenceText(reference);
    expect(referenceOf({ [referenceHeader]: text })).toEqual(reference);
    expect(JSON.parse(text)).toEqual({
      kind: 'batch',
      topic: 'bonus.award-results.v1',
      partition: 3,
      offset: 40,
      last_offset: 45,
      sha256: 'ab'.repeat(32),
      bytes: 512,
    });
  });

  it.each([
    ['none', {}],
    ['no JSON', { [referenceHeader]: '{' }],
    ['null', { [referenceHeader]: 'null' }],
    ['another kind', { [referenceHeader]: referenceText(reference).replace('batch', 'file') }],
    ['a partition that is no number', { [referenceHeader]: referenceText(reference).replace(':3,', ':"3",') }],
    ['an offset below zero', { [referenceHeader]: referenceText(reference).replace(':40,', ':-1,') }],
  ])('is none where there is %s', (_what, headers) => {
    expect(referenceOf(headers)).toBeUndefined();
  });
});
