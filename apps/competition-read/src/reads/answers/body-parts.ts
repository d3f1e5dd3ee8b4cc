import { servedText } from '@podium/messages';
import { hash } from 'node:crypto';

/** Bytes ready to send, with their digest. */
export interface Chunk {
  readonly bytes: Buffer;
  readonly digest: string;
}

/** A part of a body: stored text, or bytes ready to send. */
export type Part = string | Chunk;

/** Encodes stored text with a public name, in a buffer of exactly its size. */
export function chunkOf(storedText: string, publicName: string): Chunk {
  const text = servedText(storedText, publicName);
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return { bytes, digest: digestOf(bytes) };
}

/** A body as it is sent: pieces in order, and their total length in bytes. */
export interface SentBody {
  readonly pieces: readonly (string | Buffer)[];
  readonly byteLength: number;
}

/** The body of parts. Ready bytes are not copied: joining a page would cost more than finding it. */
export function sentBody(parts: readonly Part[], publicName: string): SentBody {
  const pieces: (string | Buffer)[] = [];
  let text = '';
  let byteLength = 0;
  const endText = (): void => {
    if (text !== '') pieces.push(text);
    byteLength += Buffer.byteLength(text);
    text = '';
  };
  for (const part of parts) {
    if (typeof part === 'string') {
      text += servedText(part, publicName);
      continue;
    }
    endText();
    pieces.push(part.bytes);
    byteLength += part.bytes.length;
  }
  endText();
  return { pieces, byteLength };
}

/** The bytes of a body in one piece. */
export function wholeBody({ pieces, byteLength }: SentBody): Buffer {
  const [first] = pieces;
  if (pieces.length === 1 && typeof first !== 'string') return first;
  const bytes = Buffer.allocUnsafeSlow(byteLength);
  let at = 0;
  for (const piece of pieces) at += typeof piece === 'string' ? bytes.write(piece, at) : piece.copy(bytes, at);
  return bytes;
}

/**
 * A digest of a body, from its texts and the digests of its ready bytes. It identifies the bytes among bodies that are
 * composed in the same way, as those of one operation are.
 */
export function digestOfParts(parts: readonly Part[], publicName: string): string {
  const [first] = parts;
  if (parts.length === 1 && typeof first !== 'string') return first.digest;
  const texts = parts.map((part) => (typeof part === 'string' ? part : part.digest));
  // No part contains a line break: JSON escapes it.
  return digestOf(`${publicName}\n${texts.join('\n')}`);
}

function digestOf(content: string | Buffer): string {
  return hash('sha256', content, 'base64url').slice(0, 27);
}
