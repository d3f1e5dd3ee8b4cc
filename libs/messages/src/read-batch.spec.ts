import { BrokenFrameError } from './event-batch';
import {
  BatchedRead,
  ReadAnswer,
  ReadAnswers,
  decodeReads,
  encodeReadAnswer,
  encodeReads,
  maxBatchedBodyBytes,
  maxBatchedReads,
  sendAlone,
} from './read-batch';

describe('reads of a batch', () => {
  it('are decoded as they were encoded', () => {
    const reads: BatchedRead[] = [
      { target: '/data/v4/players/a%2Fb?x=%31', headers: { 'x-request-id': '1', 'if-none-match': 'W/"a", "b"' } },
      { target: '/data/v4/games?name="é', headers: { accept: '*/*' } },
    ];
    expect(decodeReads(Buffer.from(encodeReads(reads)))).toEqual(reads);
    expect(decodeReads(Buffer.from(encodeReads([])))).toEqual([]);
  });

  it.each([
    ['what is not JSON', '[[', 'is not JSON'],
    ['what is no list', '{}', 'is not a list'],
    ['a read that is no list', '[1]', 'a read is not a list'],
    ['a read without a target', '[[1,{}]]', 'a read has a wrong field'],
    ['a read without headers', '[["/a"]]', 'a read has a wrong field'],
    ['a header with several values', '[["/a",{"accept":["a"]}]]', 'a read has a wrong field'],
    ['too many reads', JSON.stringify(Array(maxBatchedReads + 1).fill(['/a', {}])), 'is too long'],
  ])('are refused when they are %s', (_, text, message) => {
    const decode = (): unknown => decodeReads(Buffer.from(text));
    expect(decode).toThrow(BrokenFrameError);
    expect(decode).toThrow(message);
  });
});

describe('answers to a batch of reads', () => {
  const answers: readonly { answer: ReadAnswer; body: string }[] = [
    {
      answer: { place: 1, status: 200, headers: ['content-type', 'application/json', 'etag', '"ü"'] },
      body: '{"a":"é"}',
    },
    { answer: { place: 0, status: 304, headers: [] }, body: '' },
    { answer: { place: 2, status: sendAlone, headers: [] }, body: '' },
    { answer: { place: 3, status: 200, headers: [] }, body: 'x'.repeat(maxBatchedBodyBytes) },
  ];
  const stream = Buffer.concat(
    answers.flatMap(({ answer, body }) => [encodeReadAnswer(answer, Buffer.byteLength(body)), Buffer.from(body)]),
  );

  function readIn(chunkBytes: number): { answer: ReadAnswer; body: string }[] {
    const read: { answer: ReadAnswer; body: string }[] = [];
    const reader = new ReadAnswers((answer, body) => read.push({ answer, body: body.toString() }));
    for (let at = 0; at < stream.length; at += chunkBytes) reader.add(stream.subarray(at, at + chunkBytes));
    return read;
  }

  it.each([3, 7, 64, 65_536, stream.length])('are read from chunks of %d bytes', (chunkBytes) => {
    expect(readIn(chunkBytes)).toEqual(answers);
  });

  it('are passed on as soon as they are complete', () => {
    const read: number[] = [];
    const reader = new ReadAnswers(({ place }) => read.push(place));
    const frame = Buffer.concat([encodeReadAnswer({ place: 5, status: 200, headers: [] }, 2), Buffer.from('{}')]);
    reader.add(frame.subarray(0, -1));
    expect(read).toEqual([]);
    reader.add(frame.subarray(-1));
    expect(read).toEqual([5]);
  });

  it.each([
    ['another response', Buffer.from('{"error":{"code":"not_found"}}'), 'is too long'],
    [
      'a body that is too long',
      encodeReadAnswer({ place: 0, status: 200, headers: [] }, maxBatchedBodyBytes + 1),
      'is too long',
    ],
    ['a head that is not JSON', Buffer.from('\0\0\0\x01\0\0\0\0{'), 'is not JSON'],
    ['a head without a place', Buffer.from('\0\0\0\x02\0\0\0\0[]'), 'has a wrong field'],
    ['a head without headers', Buffer.from('\0\0\0\x05\0\0\0\0[1,1]'), 'has a wrong field'],
  ])('are refused when there is %s', (_, bytes, message) => {
    expect(() => new ReadAnswers(() => undefined).add(bytes)).toThrow(message);
  });
});
