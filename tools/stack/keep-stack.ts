import * as fs from 'node:fs';
import * as path from 'node:path';
import { StackFolders } from './folders';
import { runRecord } from './run-record';

/** Keeps the metrics of services, before they stop. */
export async function keepMetrics(services: readonly { name: string; healthUrl: string }[]): Promise<void> {
  const record = runRecord();
  if (record === undefined) return;
  await Promise.all(
    services.map(async ({ name, healthUrl }) => {
      try {
        const answer = await fetch(`${healthUrl}/metrics`, { signal: AbortSignal.timeout(2000) });
        fs.appendFileSync(path.join(record, `${name}-metrics.txt`), await answer.text());
      } catch {
        // A test may have stopped or paused the service.
      }
    }),
  );
}

/** Keeps logs, topics and generated secrets of a stopped stack, whose folders are removed next. */
export function keepStack(folders: StackFolders): void {
  const record = runRecord();
  if (record === undefined) return;
  const kept = path.join(record, `stack-${path.basename(folders.root)}`);
  fs.mkdirSync(kept, { recursive: true, mode: 0o700 });
  const brokers = fs.readdirSync(folders.data).filter((name) => /^kafka-\d+$/.test(name));
  for (const from of [
    folders.logs,
    path.join(folders.root, 'secrets.json'),
    ...brokers.map((name) => path.join(folders.data, name)),
  ])
    if (fs.existsSync(from)) fs.renameSync(from, path.join(kept, path.basename(from)));
}
