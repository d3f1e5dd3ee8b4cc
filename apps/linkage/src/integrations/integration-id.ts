import { createHash } from 'node:crypto';

/** A fixed UUID: the namespace of platforms. */
const nameSpace = Buffer.from('6f1d8a3e5c2b4e0f9a7d3b6c8e1f2a40', 'hex');

/** UUID of version 5 (RFC 9562) from the platform name: test and production derive the same id, so that redirect paths are equal. */
export function integrationIdOf(platform: string): string {
  const bytes = createHash('sha1').update(nameSpace).update(platform).digest().subarray(0, 16);
  bytes[6] = (bytes[6] & 0x0f) | 0x50;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
