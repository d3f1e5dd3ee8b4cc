import { UndecodableError } from './undecodable-reason';

/** Maximum expansion of LZ4: 255 bytes for each byte. */
const lz4MaxRatio = 255;

/** The LZ4 frame's magic number, little-endian on the wire. */
const lz4Magic = 0x184d2204;

/** The zstd frame's magic number, little-endian on the wire. */
const zstdMagic = 0xfd2fb528;

/** That of frames for other programs; its last four bits are any. */
const zstdSkippedMagic = 0x184d2a50;

/** The uncompressed length of a raw snappy block (a little-endian varint before it). */
export function snappyLength(block: Buffer): number {
  let length = 0;
  for (let at = 0; at < 5 && at < block.length; at++) {
    length += (block[at] & 0x7f) * 2 ** (7 * at);
    if (block[at] < 0x80) return length;
  }
  throw new UndecodableError('broken_compression', 'a snappy block does not say its length');
}

/**
 * The maximum that an LZ4 frame can inflate to, from the lengths of its blocks, because the decoder would notice only while
 * it allocates. A block inflates to at most the header's block size, and at most 255 bytes for each of its own.
 */
export function lz4Bound(frame: Buffer): number {
  if (frame.length < 7 || frame.readUInt32LE(0) !== lz4Magic)
    throw new UndecodableError('broken_compression', 'not an LZ4 frame');
  const flags = frame[4];
  const blockMax = 2 ** (8 + 2 * ((frame[5] >> 4) & 7));
  const checksumBytes = flags & 0x10 ? 4 : 0;
  let at = 7 + (flags & 0x08 ? 8 : 0) + (flags & 0x01 ? 4 : 0);
  let bound = 0;
  while (at + 4 <= frame.length) {
    const word = frame.readUInt32LE(at);
    const size = word & 0x7fffffff;
    if (size === 0) return bound;
    bound += word === size ? Math.min(blockMax, size * lz4MaxRatio) : size;
    at += 4 + size + checksumBytes;
  }
  throw new UndecodableError('broken_compression', 'an LZ4 frame without an end');
}

/** A zstd frame. */
export interface ZstdFrame {
  readonly bytes: Buffer;
  /** Of its content, where its header says it. */
  readonly length?: number;
}

/** The frames of compressed bytes: a stream may have several, and others that decoders skip (RFC 8878, section 3.1). */
export function zstdFrames(bytes: Buffer): ZstdFrame[] {
  const frames: ZstdFrame[] = [];
  for (let at = 0; at < bytes.length;) {
    const rest = bytes.subarray(at);
    if (rest.length >= 8 && (rest.readUInt32LE(0) & 0xfffffff0) >>> 0 === zstdSkippedMagic) {
      at += 8 + rest.readUInt32LE(4);
      if (at > bytes.length) throw new UndecodableError('broken_compression', 'a zstd frame is cut off');
    } else {
      const { contentAt, length } = zstdHeader(rest);
      const end = zstdEnd(rest, contentAt);
      frames.push({ bytes: rest.subarray(0, end), length });
      at += end;
    }
  }
  if (frames.length === 0) throw new UndecodableError('broken_compression', 'not a zstd frame');
  return frames;
}

/** Where the blocks of a frame begin, and the content size if it has one. */
function zstdHeader(frame: Buffer): { readonly contentAt: number; readonly length?: number } {
  if (frame.length < 6 || frame.readUInt32LE(0) !== zstdMagic)
    throw new UndecodableError('broken_compression', 'not a zstd frame');
  const descriptor = frame[4];
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const at = 5 + (isSingleSegment ? 0 : 1) + [0, 1, 2, 4][descriptor & 3];
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6];
  if (at + sizeBytes > frame.length)
    throw new UndecodableError('broken_compression', 'a zstd frame ends in its header');
  return { contentAt: at + sizeBytes, length: contentLength(frame, at, sizeBytes) };
}

function contentLength(frame: Buffer, at: number, sizeBytes: number): number | undefined {
  switch (sizeBytes) {
    case 0:
      return undefined;
    case 1:
      return frame[at];
    case 2:
      return frame.readUInt16LE(at) + 256;
    case 4:
      return frame.readUInt32LE(at);
    default:
      return Number(frame.readBigUInt64LE(at));
  }
}

/** Where a frame ends, from the lengths of its blocks. A block of one repeated byte has that byte alone. */
function zstdEnd(frame: Buffer, contentAt: number): number {
  let at = contentAt;
  for (let isLast = false; !isLast && at + 3 <= frame.length;) {
    const header = frame.readUIntLE(at, 3);
    isLast = (header & 1) === 1;
    at += 3 + (((header >> 1) & 3) === 1 ? 1 : header >> 3);
    if (isLast) at += frame[4] & 0x04 ? 4 : 0;
    if (isLast && at <= frame.length) return at;
  }
  throw new UndecodableError('broken_compression', 'a zstd frame is cut off');
}
