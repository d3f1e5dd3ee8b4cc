import { createHash } from 'node:crypto';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/**
 * All random values of one noun of the world, by the index of its instances: player 7 is the same whether or not player 6
 * was generated, so any document can refer to any other without holding it in memory.
 */
export class Source {
  private readonly keys: readonly [number, number, number, number];

  constructor(seed: number, noun: string) {
    const digest = createHash('sha256').update(`${seed}/${noun}`).digest();
    this.keys = [digest.readInt32BE(0), digest.readInt32BE(4), digest.readInt32BE(8), digest.readInt32BE(12)];
  }

  /** A separate stream of draws for an instance; index is a whole number below 2^32. */
  random(index: number): Random {
    const [a, b, c, d] = this.keys;
    return new Random(
      // Mixed first: neighbouring states of the generator give similar first values. It must not be all zeros.
      xoroshiro128plusFromState([mix(index ^ a), mix(index ^ b), mix(index ^ c), mix(index ^ d) | 1]),
    );
  }

  /** A whole number from 0 to 2^32 - 1 for an instance; different instances have different numbers. */
  number(index: number): number {
    return mix(index ^ this.keys[0]);
  }

  /** A version-4-looking UUID for an instance; different instances have different ones. */
  uuid(index: number): string {
    const [a, b, c, d] = this.keys;
    const first = mix(index ^ a);
    const second = mix(index ^ b);
    const third = mix(index ^ c);
    const fourth = mix(index ^ d);
    return (
      hex8(first) +
      `-${hex4[second >>> 16]}-4${hex3(second)}-${hex4[((third >>> 16) & 0x3fff) | 0x8000]}-${hex4[third & 0xffff]}` +
      hex8(fourth)
    );
  }

  /** 24 hexadecimal digits for an instance; different instances have different ones. */
  hex24(index: number): string {
    const [a, b, c] = this.keys;
    return hex8(mix(index ^ a)) + hex8(mix(index ^ b)) + hex8(mix(index ^ c));
  }
}

/** A stream of draws. */
export class Random {
  constructor(private readonly generator: RandomGenerator) {}

  /** A whole number from 0 to `count` - 1. */
  below(count: number): number {
    return uniformInt(this.generator, 0, count - 1);
  }

  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number {
    return uniformInt(this.generator, from, to);
  }

  /** True in `percent` of 100 draws. */
  chance(percent: number): boolean {
    return uniformInt(this.generator, 0, 99) < percent;
  }

  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    return list[uniformInt(this.generator, 0, list.length - 1)];
  }

  /** A whole number from 0 to `count` - 1, small ones more often: its distribution is that of a squared uniform draw. */
  skewed(count: number): number {
    const part = (this.generator.next() >>> 0) / 2 ** 32;
    return Math.floor(part * part * count);
  }

  /** A draw of the standard normal distribution, as the sum of twelve bytes: exact on every machine. */
  bell(): number {
    let sum = 0;
    for (let draws = 0; draws < 3; draws++) {
      const bits = this.generator.next();
      sum += (bits & 0xff) + ((bits >>> 8) & 0xff) + ((bits >>> 16) & 0xff) + (bits >>> 24);
    }
    return (sum - 1530) / 256;
  }
}

/** A bijection of 32 bits that spreads every bit over all (the "lowbias32" constants). */
export function mix(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}

const hex4 = Array.from({ length: 0x10000 }, (_, value) => value.toString(16).padStart(4, '0'));

function hex8(value: number): string {
  return hex4[value >>> 16] + hex4[value & 0xffff];
}

function hex3(value: number): string {
  return hex4[value & 0x0fff].slice(1);
}
