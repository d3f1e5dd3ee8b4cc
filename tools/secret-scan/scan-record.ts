import * as fs from 'node:fs';
import * as path from 'node:path';
import { Secret, SecretIndex } from './secret-index';
import { inflatedBatches } from './segment';

/** A secret where it must not be. */
export interface Finding {
  readonly kind: string;
  readonly encoding: string;
  /** Below the folder of the record. */
  readonly file: string;
  /** In bytes; for compressed records that of their batch. */
  readonly offset: number;
  /** What stands around it, without the secret. */
  readonly context: string;
}

/** The result of a scan. */
export interface RecordScan {
  readonly secrets: number;
  readonly bytes: number;
  readonly findings: readonly Finding[];
}

const contextBytes = 120;

/** Searches everything that a run has kept for every secret of the run; reads `chunkBytes` at once. */
export async function scanRecord(folder: string, chunkBytes = 16 * 1024 * 1024): Promise<RecordScan> {
  const files = filesBelow(folder);
  const index = new SecretIndex();
  const secrets = new Map(files.flatMap(secretsIn).map((secret) => [secret.value, secret]));
  for (const secret of secrets.values()) index.add(secret);
  const findings: Finding[] = [];
  let bytes = 0;
  for (const file of files.filter((each) => !holdsSecrets(each))) {
    const name = path.relative(folder, file);
    bytes += scanFile(file, { index, chunkBytes }, (finding) => findings.push({ ...finding, file: name }));
    if (/kafka-\d+[\\/].+\.log(\.deleted)?$/.test(name))
      for (const { offset, records } of await inflatedBatches(fs.readFileSync(file)))
        findings.push(...findIn(records, index).map((finding) => ({ ...finding, file: name, offset })));
  }
  return { secrets: secrets.size, bytes, findings };
}

function holdsSecrets(file: string): boolean {
  return /secrets\.(json|ndjson)$/.test(file);
}

/** The secrets that processes have seen, and those that a stack has generated. */
function secretsIn(file: string): Secret[] {
  if (!holdsSecrets(file)) return [];
  const text = fs.readFileSync(file, 'utf8');
  if (file.endsWith('.ndjson'))
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Secret);
  return stringsIn(JSON.parse(text)).map((value) => ({ kind: 'secret of the stack', value }));
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.split(',').map((each) => each.slice(each.indexOf(':') + 1));
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

function scanFile(
  file: string,
  { index, chunkBytes }: { index: SecretIndex; chunkBytes: number },
  found: (finding: Omit<Finding, 'file'>) => void,
): number {
  const handle = fs.openSync(file, 'r');
  try {
    const { size } = fs.fstatSync(handle);
    const overlap = index.longestBytes + contextBytes;
    const buffer = Buffer.alloc(Math.min(size, chunkBytes + overlap));
    for (let start = 0; start < size; start += chunkBytes) {
      const read = fs.readSync(handle, buffer, 0, buffer.length, start);
      const isLast = start + chunkBytes >= size;
      for (const finding of findIn(buffer.subarray(0, read), index))
        // What begins in the overlap is found in the next chunk.
        if (isLast || finding.offset < chunkBytes) found({ ...finding, offset: start + finding.offset });
    }
    return size;
  } finally {
    fs.closeSync(handle);
  }
}

function findIn(bytes: Buffer, index: SecretIndex): Omit<Finding, 'file'>[] {
  const hits = index.find(bytes);
  return hits.map(({ secret, encoding, offset, lengthBytes }) => {
    const end = offset + lengthBytes;
    const before = bytes.subarray(Math.max(0, offset - contextBytes), offset);
    const after = bytes.subarray(end, end + contextBytes / 4);
    return { kind: secret.kind, encoding, offset, context: `${shown(before)}«${secret.kind}»${shown(after)}` };
  });
}

function shown(bytes: Buffer): string {
  return bytes.toString('latin1').replaceAll(/[^\x20-\x7e]+/g, ' ');
}

function filesBelow(folder: string): string[] {
  return fs.readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const file = path.join(entry.parentPath, entry.name);
    // Kafka's indexes have positions only, and are large holes.
    return entry.isFile() && !/\.(index|timeindex|txnindex|snapshot)(\.deleted)?$/.test(entry.name) ? [file] : [];
  });
}
