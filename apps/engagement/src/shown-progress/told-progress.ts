import { LRUCache } from 'lru-cache';
import { Packr } from 'msgpackr';
import { ShownProgress } from './shown-progress';

/** What was last told of a task, and of which series. */
export interface ToldTask extends ShownProgress {
  readonly series: string;
}

/** What was last told of a user's tasks, by task id. A task that is missing was never told of. */
export type ToldTasks = ReadonlyMap<string, ToldTask>;

/** The link that was in force when progress was last told, or that came into force since; times are Unix seconds. */
export interface ToldLink {
  readonly linkedAt: number;
  readonly account: string;
}

/** What was last told of a user. */
export interface Told {
  readonly tasks: ToldTasks;
  /** Null: not known. */
  readonly link: ToldLink | null;
}

/** The packed form; readers refuse another number. */
const formatVersion = 2;

const packr = new Packr({ useRecords: false, moreTypes: false });

type PackedTask = [id: Uint8Array, series: string, value: string | null, target: string | null, reached: number | null];
type Packed = [format: number, tasks: PackedTask[], link: [linkedAt: number, account: string] | null];

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
export function packTold({ tasks, link }: Told): Uint8Array {
  const packed: Packed = [
    formatVersion,
    [...tasks].map(([id, { series, value, target, reachedAt }]) => [uuidBytes(id), series, value, target, reachedAt]),
    link === null ? null : [link.linkedAt, link.account],
  ];
  return packr.pack(packed);
}

/** Unpacks it; throws on a form that this release does not know. */
export function unpackTold(packed: Uint8Array): Told & { readonly tasks: Map<string, ToldTask> } {
  const [format, tasks, link] = packr.unpack(packed) as Packed;
  if (format !== formatVersion) throw new Error(`told progress has format ${format}`);
  return {
    tasks: new Map(
      tasks.map(([id, series, value, target, reachedAt]) => [uuidText(id), { series, value, target, reachedAt }]),
    ),
    link: link === null ? null : { linkedAt: link[0], account: link[1] },
  };
}

/** Ids of tasks in both forms: few tasks are told of to many users. */
const bytesOfIds = new LRUCache<string, Uint8Array>({ max: 10_000 });
const idsOfBytes = new LRUCache<string, string>({ max: 10_000 });

function uuidBytes(id: string): Uint8Array {
  const known = bytesOfIds.get(id);
  if (known) return known;
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  bytesOfIds.set(id, bytes);
  return bytes;
}

function uuidText(bytes: Uint8Array): string {
  const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const known = idsOfBytes.get(key);
  if (known !== undefined) return known;
  const hex = Buffer.from(key, 'latin1').toString('hex');
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  idsOfBytes.set(key, id);
  return id;
}
