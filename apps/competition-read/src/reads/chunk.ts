import { servedText } from '@podium/messages';
import { hash } from 'node:crypto';

/** Bytes as they are served, with a digest that tells them from all others. */
export interface Chunk {
  readonly bytes: Buffer;
  readonly digest: string;
}

/** A piece of a body: stored text, or bytes that are ready. */
export type Part = string | Chunk;

/** Stored text made ready under a public name, in memory of its own size. */
export function chunkOf(storedText: string, publicName: string): Chunk {
  const text = servedText(storedText, publicName);
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return { bytes, digest: digestOf(bytes) };
}

/** A body as it is sent: pieces in their order, and their bytes in all. */
export interface SentBody {
  readonly pieces: readonly (string | Buffer)[];
  readonly byteLength: number;
}

/** The body of parts. What is ready stays where it is: to put a page together would cost more than to find it. */
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
 * A digest of a body that differs exactly where its bytes differ, for bodies put together in the same way, as those of one
 * operation are: of the texts and of the digests of what is ready.
 */
export function digestOfParts(parts: readonly Part[], publicName: string): string {
  const [first] = parts;
  if (parts.length === 1 && typeof first !== 'string') return first.digest;
  const texts = parts.map((part) => (typeof part === 'string' ? part : part.digest));
  // No part has a line break: JSON escapes it.
  return digestOf(`${publicName}\n${texts.join('\n')}`);
}

function digestOf(content: string | Buffer): string {
  return hash('sha256', content, 'base64url').slice(0, 27);
}
