import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { decompress as decompressZstd, init as loadZstd } from '@bokuweb/zstd-wasm';
import { decompressFrameSync } from 'lz4-napi';
import { uncompressSync } from 'snappy';
import { lz4Bound, snappyLength, zstdFrames } from './frame-bounds';
import { UndecodableError } from './undecodable-reason';

/** Maximum bytes that a batch may inflate to: sixteen times the largest batch that a broker accepts. */
const maxInflatedBytes = 16 * 1024 * 1024;

/** The Java client's snappy framing: this, two versions, and then blocks, each with a length prefix. */
const xerialMagic = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00]);
const xerialHeaderBytes = 16;

/** The library returns zstd's own error message; this one means "the destination buffer is too small". */
const zstdBufferTooSmall = /code -70$/;

const gunzipAsync = promisify(gunzip);
let zstdLoaded: Promise<void> | undefined;

/**
 * Decompresses a batch to at most `maxBytes`; rejects with `UndecodableError`. The bound is checked before allocation, so
 * that a small batch that inflates to gigabytes costs nothing.
 */
export async function decompress(codec: number, bytes: Buffer, maxBytes = maxInflatedBytes): Promise<Buffer> {
  try {
    switch (codec) {
      case 0:
        return bytes;
      case 1:
        return await gunzipAsync(bytes, { maxOutputLength: maxBytes });
      case 2:
        return inflateSnappy(bytes, maxBytes);
      case 3:
        requireAtMost(lz4Bound(bytes), maxBytes);
        return decompressFrameSync(bytes);
      case 4:
        return await inflateZstd(bytes, maxBytes);
      default:
        throw new UndecodableError('unknown_codec', `codec ${codec} is none of gzip, snappy, lz4 and zstd`);
    }
  } catch (error) {
    if (error instanceof UndecodableError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE' || zstdBufferTooSmall.test(message)) requireAtMost(Infinity, maxBytes);
    throw new UndecodableError('broken_compression', `the compressed bytes cannot be inflated: ${message}`);
  }
}

function requireAtMost(length: number, maxBytes: number): void {
  if (length > maxBytes) throw new UndecodableError('too_large', `it inflates to more than ${maxBytes} bytes`);
}

function inflateSnappy(bytes: Buffer, maxBytes: number): Buffer {
  if (!bytes.subarray(0, xerialMagic.length).equals(xerialMagic)) return inflateBlock(bytes, maxBytes);
  const blocks: Buffer[] = [];
  let remainingBytes = maxBytes;
  for (let at = xerialHeaderBytes; at < bytes.length;) {
    const length = at + 4 <= bytes.length ? bytes.readUInt32BE(at) : Infinity;
    const end = at + 4 + length;
    if (end > bytes.length) throw new UndecodableError('broken_compression', 'a snappy block is cut off');
    const block = inflateBlock(bytes.subarray(at + 4, end), remainingBytes);
    remainingBytes -= block.length;
    blocks.push(block);
    at = end;
  }
  if (blocks.length === 0) throw new UndecodableError('broken_compression', 'a snappy frame without a block');
  return Buffer.concat(blocks);
}

function inflateBlock(block: Buffer, maxBytes: number): Buffer {
  requireAtMost(snappyLength(block), maxBytes);
  return uncompressSync(block, { asBuffer: true }) as Buffer;
}

/** Node has its own zstd from 22.15; until that is the oldest supported version, all versions use the library. */
async function inflateZstd(bytes: Buffer, maxBytes: number): Promise<Buffer> {
  await (zstdLoaded ??= loadZstd());
  const frames = zstdFrames(bytes);
  requireAtMost(
    frames.reduce((sum, { length = 0 }) => sum + length, 0),
    maxBytes,
  );
  const parts: Buffer[] = [];
  let remainingBytes = maxBytes;
  for (const frame of frames) {
    // The library uses the frame's content size if there is one, and this buffer size otherwise.
    const { buffer, byteOffset, byteLength } = decompressZstd(frame.bytes, { defaultHeapSize: remainingBytes });
    remainingBytes -= byteLength;
    parts.push(Buffer.from(buffer, byteOffset, byteLength));
  }
  return parts.length === 1 ? parts[0] : Buffer.concat(parts);
}
