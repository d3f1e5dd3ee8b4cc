import { Cluster } from './cluster';

/** The result of applying a file of manifests. */
export interface Applied {
  /** Objects that the server accepted. */
  readonly count: number;
  /** Refusals, warnings and all other output of kubectl. */
  readonly problems: readonly string[];
}

/** Applies a file as docs/operations/deployment.md does; `selector` takes only the objects with these labels. */
export async function apply(cluster: Cluster, file: string, selector?: string): Promise<Applied> {
  const only = selector === undefined ? [] : ['-l', selector];
  const { code, output } = await cluster.kubectl('apply', '--server-side', ...only, '-f', file);
  const applied = readApplyOutput(output);
  if (code !== 0 && applied.problems.length === 0)
    return { ...applied, problems: [`kubectl apply ended with code ${code}`] };
  return applied;
}

/** The output of `kubectl apply --server-side`: a line per accepted object; all other lines are problems, warnings too. */
export function readApplyOutput(output: string): Applied {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const taken = lines.filter((line) => line.endsWith(' serverside-applied'));
  return { count: taken.length, problems: lines.filter((line) => !taken.includes(line)).map(shorten) };
}

/** A refusal may quote a whole object in the middle of the line. */
function shorten(line: string): string {
  return line.length > 600 ? `${line.slice(0, 300)} … ${line.slice(-200)}` : line;
}
