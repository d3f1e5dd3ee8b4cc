import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { decompress as decompressZstd, init as loadZstd } from '@bokuweb/zstd-wasm';
import { decompressFrameSync } from 'lz4-napi';
import { uncompressSync } from 'snappy';
import { lz4Bound, snappyLength, zstdContentLength } from './frame-bounds';
import { UndecodableError } from './undecodable-batch';

/** Most bytes that a batch may inflate to: sixteen times the largest batch that a broker takes. */
export const maxInflatedBytes = 16 * 1024 * 1024;

/** How the Java client frames snappy: this, two versions, and then blocks, each after its length. */
const xerialMagic = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00]);
const xerialHeaderBytes = 16;

/** The library tells zstd's own error, of which this is "the room is too small". */
const zstdHasNoRoom = /code -70$/;

const gunzipAsync = promisify(gunzip);
let zstdLoaded: Promise<void> | undefined;

/**
 * The bytes behind a batch's compressed ones, at most `maxBytes`; rejects with `UndecodableError`. The bound is known before
 * anything is allocated, so that a small batch that inflates to gigabytes costs nothing.
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
        requireRoom(lz4Bound(bytes), maxBytes);
        return decompressFrameSync(bytes);
      case 4:
        return await inflateZstd(bytes, maxBytes);
      default:
        throw new UndecodableError('unknown_codec', `codec ${codec} is none of gzip, snappy, lz4 and zstd`);
    }
  } catch (error) {
    if (error instanceof UndecodableError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE' || zstdHasNoRoom.test(message)) requireRoom(Infinity, maxBytes);
    throw new UndecodableError('broken_compression', `the compressed bytes cannot be inflated: ${message}`);
  }
}

function requireRoom(length: number, maxBytes: number): void {
  if (length > maxBytes) throw new UndecodableError('too_large', `it inflates to more than ${maxBytes} bytes`);
}

function inflateSnappy(bytes: Buffer, maxBytes: number): Buffer {
  if (!bytes.subarray(0, xerialMagic.length).equals(xerialMagic)) return inflateBlock(bytes, maxBytes);
  const blocks: Buffer[] = [];
  let room = maxBytes;
  for (let at = xerialHeaderBytes; at < bytes.length;) {
    const length = at + 4 <= bytes.length ? bytes.readUInt32BE(at) : Infinity;
    const end = at + 4 + length;
    if (end > bytes.length) throw new UndecodableError('broken_compression', 'a snappy block is cut off');
    const block = inflateBlock(bytes.subarray(at + 4, end), room);
    room -= block.length;
    blocks.push(block);
    at = end;
  }
  if (blocks.length === 0) throw new UndecodableError('broken_compression', 'a snappy frame without a block');
  return Buffer.concat(blocks);
}

function inflateBlock(block: Buffer, maxBytes: number): Buffer {
  requireRoom(snappyLength(block), maxBytes);
  return uncompressSync(block, { asBuffer: true }) as Buffer;
}

/** Node has zstd of its own from 22.15 on; until that is the oldest that runs this, one way for all. */
async function inflateZstd(bytes: Buffer, maxBytes: number): Promise<Buffer> {
  await (zstdLoaded ??= loadZstd());
  const length = zstdContentLength(bytes);
  requireRoom(length ?? 0, maxBytes);
  // The library takes the frame's own length where there is one, and this as the room where there is none.
  const inflated = decompressZstd(bytes, { defaultHeapSize: maxBytes });
  return Buffer.from(inflated.buffer, inflated.byteOffset, inflated.byteLength);
}
