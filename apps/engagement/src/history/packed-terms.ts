import { Part } from '../evaluation/tally';
import { TermBuckets } from '../evaluation/term-buckets';

/** [first bucket, its part, the distance to the next bucket in units, its part … and at the end the unit] */
type PackedBuckets = (number | Part)[];
/** Ids and buckets of terms in turn. */
export type PackedTerms = (string | PackedBuckets)[];

/** Packs parts by term and bucket. */
export function packTerms(terms: ReadonlyMap<string, ReadonlyMap<number, Part>>): PackedTerms {
  const packed: PackedTerms = [];
  for (const [id, buckets] of terms) packed.push(id, packBuckets(TermBuckets.from(buckets)));
  return packed;
}

/** Unpacks parts by term and bucket. */
export function unpackTerms(packed: PackedTerms): Map<string, Map<number, Part>> {
  const terms = new Map<string, Map<number, Part>>();
  for (let i = 0; i < packed.length; i += 2)
    terms.set(packed[i] as string, asMap(unpackBuckets(packed[i + 1] as PackedBuckets)));
  return terms;
}

/** Packs buckets by term. */
export function packRunning(running: ReadonlyMap<string, TermBuckets>): PackedTerms {
  const packed: PackedTerms = [];
  for (const [id, buckets] of running) packed.push(id, packBuckets(buckets));
  return packed;
}

/** Unpacks buckets by term into a map. */
export function unpackRunning(packed: PackedTerms, running: Map<string, TermBuckets>): void {
  for (let i = 0; i < packed.length; i += 2)
    running.set(packed[i] as string, new TermBuckets(unpackBuckets(packed[i + 1] as PackedBuckets)));
}

/** Days and hours of all zones begin at quarters of an hour. */
const quarterS = 900;

function packBuckets({ flat }: TermBuckets): PackedBuckets {
  let unit = quarterS;
  for (let i = 0; i < flat.length; i += 2) if ((flat[i] as number) % quarterS !== 0) unit = 1;
  const packed = flat.slice();
  for (let i = flat.length - 2; i > 0; i -= 2) packed[i] = ((flat[i] as number) - (flat[i - 2] as number)) / unit;
  packed.push(unit);
  return packed;
}

/** Changes the given array, which is of nobody else. */
function unpackBuckets(packed: PackedBuckets): PackedBuckets {
  const unit = packed.pop() as number;
  for (let i = 2; i < packed.length; i += 2) packed[i] = (packed[i - 2] as number) + (packed[i] as number) * unit;
  return packed;
}

function asMap(flat: PackedBuckets): Map<number, Part> {
  const parts = new Map<number, Part>();
  for (let i = 0; i < flat.length; i += 2) parts.set(flat[i] as number, flat[i + 1]);
  return parts;
}
