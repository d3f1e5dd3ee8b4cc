import { decode, encode } from '@msgpack/msgpack';
import { ShownProgress } from './shown-progress';

/** What was last told of a task, and of which series. */
export interface ToldTask extends ShownProgress {
  readonly series: string;
}

/** What was last told of a user's tasks, by task id. A task that is missing was never told of. */
export type ToldTasks = ReadonlyMap<string, ToldTask>;

/** The packed form; readers refuse another number. */
const formatVersion = 1;

type PackedTask = [id: Uint8Array, series: string, value: string | null, target: string | null, reached: number | null];
type Packed = [format: number, tasks: PackedTask[]];

/** Whether a record would say the same of both. */
export function isShownAlike(a: ToldTask, b: ToldTask): boolean {
  const isReachedAlike = (a.reachedAt === null) === (b.reachedAt === null);
  return a.series === b.series && a.value === b.value && a.target === b.target && isReachedAlike;
}

/** Whether it is what everybody has who has done nothing yet. */
export function isInitial({ value, reachedAt }: ShownProgress): boolean {
  return reachedAt === null && (value === null || value === '0');
}

/** Packs what was told of a user. */
export function packTold(tasks: ToldTasks): Buffer {
  const packed: Packed = [
    formatVersion,
    [...tasks].map(([id, { series, value, target, reachedAt }]) => [uuidBytes(id), series, value, target, reachedAt]),
  ];
  return Buffer.from(encode(packed));
}

/** Unpacks it; throws on a form that this release does not know. */
export function unpackTold(packed: Uint8Array): Map<string, ToldTask> {
  const [format, tasks] = decode(packed) as Packed;
  if (format !== formatVersion) throw new Error(`told progress has format ${format}`);
  return new Map(
    tasks.map(([id, series, value, target, reachedAt]) => [uuidText(id), { series, value, target, reachedAt }]),
  );
}

function uuidBytes(id: string): Uint8Array {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

function uuidText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
