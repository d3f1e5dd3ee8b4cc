import { Cluster } from '../cluster';
import { ObjectList } from '../kubernetes-api';
import { PodObserver, PodPromise } from './pod-observer';
import { Pod } from './pods';

/** What was observed while something was done. */
export interface Observation {
  readonly problems: readonly string[];
  /** The fewest ready pods of each promise, by its name. */
  readonly fewest: ReadonlyMap<string, number>;
}

/** Observes all pods from before something is done until it is done; its own problems come first. */
export async function watchPods(
  { api }: Cluster,
  promises: readonly PodPromise[],
  work: () => Promise<readonly string[]>,
): Promise<Observation> {
  const path = '/api/v1/pods';
  const { items, metadata } = await api.get<ObjectList<Pod>>(path);
  const observer = new PodObserver(items, promises);
  const end = new AbortController();
  let lost: unknown;
  const watching = (async () => {
    for await (const event of api.watch<Pod>(path, metadata.resourceVersion, end.signal)) {
      if (event.type === 'ERROR') throw new Error(JSON.stringify(event.object));
      if (event.type !== 'BOOKMARK') observer.take(event);
    }
    throw new Error('the server ended it');
  })().catch((error: unknown) => {
    if (!end.signal.aborted) lost = error;
  });
  const problems = await work();
  end.abort();
  await watching;
  const blind = lost === undefined ? [] : [`the pods could not be observed to the end: ${String(lost)}`];
  return { problems: [...problems, ...blind, ...observer.problems], fewest: observer.fewest };
}
