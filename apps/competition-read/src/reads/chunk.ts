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

/** The bytes of a body. */
export function bytesOf(parts: readonly Part[], publicName: string): Buffer {
  const [first] = parts;
  if (parts.length === 1 && typeof first !== 'string') return first.bytes;
  const served = parts.map((part) => (typeof part === 'string' ? servedText(part, publicName) : part.bytes));
  let length = 0;
  for (const part of served) length += typeof part === 'string' ? Buffer.byteLength(part) : part.length;
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  for (const part of served) at += typeof part === 'string' ? bytes.write(part, at) : part.copy(bytes, at);
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
