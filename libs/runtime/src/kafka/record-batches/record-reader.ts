import { UndecodableError } from './undecodable-reason';

/** Reads the fields of records, which are zigzag varints and lengths with bytes; throws `UndecodableError` at their end. */
export class RecordReader {
  constructor(
    private readonly bytes: Buffer,
    private at = 0,
  ) {}

  get position(): number {
    return this.at;
  }

  skip(count: number): void {
    this.at += count;
  }

  /** A whole number of at most 32 bits. */
  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.nextByte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return (value >>> 1) ^ -(value & 1);
    }
    throw new UndecodableError('broken_records', 'a number of a record has too many bytes');
  }

  /** A whole number of at most 64 bits; a bigint only where a number would lose precision. */
  varlong(): number | bigint {
    let value = 0;
    for (let factor = 1; factor < 2 ** 49; factor *= 128) {
      const byte = this.nextByte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    }
    let long = BigInt(value);
    for (let shift = 49n; shift < 70n; shift += 7n) {
      const byte = this.nextByte();
      long |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, (long >> 1n) ^ -(long & 1n));
    }
    throw new UndecodableError('broken_records', 'a number of a record has too many bytes');
  }

  /** Bytes with a length prefix; null for the length -1. No copy. */
  field(): Buffer | null {
    const length = this.varint();
    if (length === -1) return null;
    if (length < 0 || this.at + length > this.bytes.length)
      throw new UndecodableError('broken_records', 'a field of a record is longer than the batch');
    const field = this.bytes.subarray(this.at, this.at + length);
    this.at += length;
    return field;
  }

  private nextByte(): number {
    if (this.at >= this.bytes.length) throw new UndecodableError('broken_records', 'the batch ends within a record');
    return this.bytes[this.at++];
  }
}
