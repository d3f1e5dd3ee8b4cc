import { gzipSync } from 'node:zlib';
import { compress as compressZstd } from '@bokuweb/zstd-wasm';
import { compressFrameSync } from 'lz4-napi';
import { compressSync } from 'snappy';
import { decompress } from './decompress';

const text = Buffer.from(
  JSON.stringify({ name: 'deposit', values: Array.from({ length: 5_000 }, (_, index) => index) }),
);
const mebibyte = 1024 * 1024;

function xerial(blocks: readonly Buffer[]): Buffer {
  const header = Buffer.from([0x82, ...Buffer.from('SNAPPY'), 0, 0, 0, 0, 1, 0, 0, 0, 1]);
  const sized = blocks.flatMap((block) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(block.length);
    return [length, block];
  });
  return Buffer.concat([header, ...sized]);
}

/** A zstd frame without a content size, of `count` blocks that repeat one byte `size` times each. */
function zstdOfRepeats(count: number, size: number): Buffer {
  const block = (isLast: boolean): Buffer => {
    const header = Buffer.alloc(4);
    header.writeUInt32LE((isLast ? 1 : 0) | (1 << 1) | (size << 3));
    header[3] = 0x41;
    return header;
  };
  const blocks = Array.from({ length: count }, (_, index) => block(index === count - 1));
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]), ...blocks]);
}

/** A zstd frame for other programs. */
const skippedZstd = Buffer.from([0x5f, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);

/** The header of a zstd frame with a content size. */
function zstdHeaderOf(length: number): Buffer {
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0]);
  header.writeUInt32LE(length, 5);
  return header;
}

describe('decompressing a batch', () => {
  // This loads the library, which must happen once per process.
  beforeAll(() => decompress(4, zstdOfRepeats(1, 10)));

  it.each([
    ['nothing', 0, () => text],
    ['gzip', 1, () => gzipSync(text)],
    ['snappy as it is', 2, () => compressSync(text)],
    [
      'snappy in the frame of the Java client',
      2,
      () => xerial([compressSync(text.subarray(0, 9)), compressSync(text.subarray(9))]),
    ],
    ['lz4', 3, () => compressFrameSync(text)],
    ['lz4 with checksums', 3, () => compressFrameSync(text, { blockChecksums: true, contentChecksum: true })],
    ['zstd', 4, () => Buffer.from(compressZstd(text, 3))],
  ])('gives back what was compressed with %s', async (_name, codec, compressed) => {
    expect((await decompress(codec, compressed())).equals(text)).toBe(true);
  });

  it('decompresses a zstd frame without a content size', async () => {
    const inflated = await decompress(4, zstdOfRepeats(3, 100_000));
    expect(inflated.equals(Buffer.alloc(300_000, 'A'))).toBe(true);
  });

  it.each<[string, () => readonly Uint8Array[], Buffer]>([
    ['with their content sizes', () => [compressZstd(text, 3), compressZstd(text, 3)], Buffer.concat([text, text])],
    [
      'of which only the first has its content size',
      () => [compressZstd(text, 3), zstdOfRepeats(2, 50_000)],
      Buffer.concat([text, Buffer.alloc(100_000, 'A')]),
    ],
    ['of which some are skipped', () => [skippedZstd, compressZstd(text, 3), skippedZstd], text],
    ['of which one is empty', () => [compressZstd(Buffer.alloc(0), 3), compressZstd(text, 3)], text],
  ])('decompresses several zstd frames %s', async (_name, frames, expected) => {
    expect((await decompress(4, Buffer.concat(frames()))).equals(expected)).toBe(true);
  });

  it.each([5, 6, 7])('rejects the unknown codec %d', async (codec) => {
    await expect(decompress(codec, text)).rejects.toMatchObject({ reason: 'unknown_codec' });
  });

  describe('refuses, before it allocates memory, a batch that would inflate to more', () => {
    const bomb = Buffer.alloc(200 * mebibyte);
    it.each([
      ['gzip', 1, () => gzipSync(bomb)],
      ['snappy', 2, () => Buffer.concat([Buffer.from([0x80, 0x80, 0x80, 0x80, 0x02]), Buffer.alloc(1_000)])],
      [
        'snappy in many blocks',
        2,
        () => xerial(Array.from({ length: 200 }, () => compressSync(bomb.subarray(0, mebibyte)))),
      ],
      ['lz4', 3, () => compressFrameSync(bomb)],
      [
        'zstd that says so',
        4,
        () => Buffer.concat([zstdHeaderOf(bomb.length), zstdOfRepeats(9, 128 * 1024).subarray(6)]),
      ],
      [
        'zstd in many frames',
        4,
        () => Buffer.concat(Array.from({ length: 20 }, () => Buffer.from(compressZstd(bomb.subarray(0, mebibyte), 3)))),
      ],
      [
        'zstd in many frames that do not say so',
        4,
        () => Buffer.concat(Array.from({ length: 20 }, () => zstdOfRepeats(8, 128 * 1024))),
      ],
      ['zstd that does not say so', 4, () => zstdOfRepeats(5_000, 128 * 1024)],
    ])('%s', async (_name, codec, compressed) => {
      const bytes = compressed();
      const before = process.memoryUsage();
      await expect(decompress(codec, bytes)).rejects.toMatchObject({ reason: 'too_large' });
      const { external, arrayBuffers } = process.memoryUsage();
      expect(external + arrayBuffers - before.external - before.arrayBuffers).toBeLessThan(100 * mebibyte);
    });
  });

  it.each([
    ['gzip', 1, () => gzipSync(text)],
    ['snappy', 2, () => compressSync(text)],
    ['snappy in the frame of the Java client', 2, () => xerial([compressSync(text)])],
    ['lz4', 3, () => compressFrameSync(text)],
    ['zstd', 4, () => Buffer.from(compressZstd(text, 3))],
  ])('refuses %s that is cut off anywhere', async (_name, codec, compressed) => {
    const bytes = compressed();
    for (const length of [0, 1, 3, 5, 8, 15, 17, 19, bytes.length >> 1, bytes.length - 1])
      await expect(decompress(codec, bytes.subarray(0, length))).rejects.toMatchObject({
        reason: 'broken_compression',
      });
  });
});
