import { servedText } from '@podium/messages';
import { hash } from 'node:crypto';

/** Bytes ready to send, with their digest. */
export interface Chunk {
  readonly bytes: Buffer;
  readonly digest: string;
}

/** A part of a body: stored text, or bytes ready to send. */
export type Part = string | Chunk;

/** Between items; half of a page's parts, so it is written without the work that texts need. */
export const separator = ',';
const separatorByte = separator.charCodeAt(0);

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

/**
 * The body of parts, and a digest that identifies its bytes among bodies that are composed in the same way, as those of one
 * operation are.
 */
export function bodyOfParts(parts: readonly Part[], publicName: string): { body: SentBody; digest: string } {
  if (parts.some((part) => typeof part !== 'string'))
    return { body: piecesOf(parts, publicName), digest: digestOfParts(parts, publicName) };
  const { bytes, digest } = chunkOf(parts.join(''), publicName);
  return { body: { pieces: [bytes], byteLength: bytes.length }, digest };
}

/** Ready bytes are not copied: joining a page would cost more than finding it. */
function piecesOf(parts: readonly Part[], publicName: string): SentBody {
  const pieces: (string | Buffer)[] = [];
  let text = '';
  let byteLength = 0;
  const endText = (): void => {
    if (text === '') return;
    pieces.push(text);
    byteLength += text === separator ? 1 : Buffer.byteLength(text);
    text = '';
  };
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part === separator ? part : servedText(part, publicName);
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
  for (const piece of pieces)
    if (piece === separator) bytes[at++] = separatorByte;
    else if (typeof piece === 'string') at += bytes.write(piece, at);
    else at += piece.copy(bytes, at);
  return bytes;
}

/** From the texts and the digests of the ready bytes. */
function digestOfParts(parts: readonly Part[], publicName: string): string {
  const [first] = parts;
  if (parts.length === 1 && typeof first !== 'string') return first.digest;
  const texts = parts.map((part) => (typeof part === 'string' ? part : part.digest));
  // No part contains a line break: JSON escapes it.
  return digestOf(`${publicName}\n${texts.join('\n')}`);
}

function digestOf(content: string | Buffer): string {
  return hash('sha256', content, 'base64url').slice(0, 27);
}
