import { compress as compressZstd, init as loadZstd } from '@bokuweb/zstd-wasm';
import { CompressionCodecs, CompressionTypes } from 'kafkajs';
import { compressFrameSync } from 'lz4-napi';
import { compressSync } from 'snappy';

/** The compression codec of a foreign client's batches. */
export type ForeignCodec = 'none' | 'gzip' | 'snappy' | 'lz4' | 'zstd';

let zstdLoaded: Promise<void> | undefined;

/** Registers codecs that compress as librdkafka does: raw snappy, lz4 frames and zstd frames. */
export function registerCodecs(): void {
  const codecOf = (compress: (bytes: Buffer) => Buffer | Promise<Buffer>) => () => ({
    compress: async ({ buffer }: { buffer: Buffer }) => compress(buffer),
    decompress: () => Promise.reject(new Error('decompression is not supported')),
  });
  CompressionCodecs[CompressionTypes.Snappy] = codecOf((bytes) => compressSync(bytes));
  CompressionCodecs[CompressionTypes.LZ4] = codecOf((bytes) => compressFrameSync(bytes));
  CompressionCodecs[CompressionTypes.ZSTD] = codecOf(async (bytes) => {
    // Loading it twice would reset its state.
    await (zstdLoaded ??= loadZstd());
    return Buffer.from(compressZstd(bytes));
  });
}
