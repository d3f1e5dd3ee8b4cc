import { compress as compressZstd, init as loadZstd } from '@bokuweb/zstd-wasm';
import { CompressionCodecs, CompressionTypes } from 'kafkajs';
import { compressFrameSync } from 'lz4-napi';
import { compressSync } from 'snappy';

/** How a foreign client compresses its batches. */
export type ForeignCodec = 'none' | 'gzip' | 'snappy' | 'lz4' | 'zstd';

let zstdLoaded: Promise<void> | undefined;

/** Teaches the stock client to compress as librdkafka does: raw snappy, frames of lz4 and of zstd. */
export function registerCodecs(): void {
  const codecOf = (compress: (bytes: Buffer) => Buffer | Promise<Buffer>) => () => ({
    compress: async ({ buffer }: { buffer: Buffer }) => compress(buffer),
    decompress: () => Promise.reject(new Error('it only writes')),
  });
  CompressionCodecs[CompressionTypes.Snappy] = codecOf((bytes) => compressSync(bytes));
  CompressionCodecs[CompressionTypes.LZ4] = codecOf((bytes) => compressFrameSync(bytes));
  CompressionCodecs[CompressionTypes.ZSTD] = codecOf(async (bytes) => {
    // Loaded twice, it would forget what it is at.
    await (zstdLoaded ??= loadZstd());
    return Buffer.from(compressZstd(bytes));
  });
}
