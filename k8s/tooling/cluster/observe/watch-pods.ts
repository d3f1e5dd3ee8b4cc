import { Cluster } from '../cluster';
import { ObjectList } from '../kubernetes-api';
import { PodObserver, PodGuarantee } from './pod-observer';
import { Pod } from './pods';

/** Observations during an action. */
export interface Observation {
  readonly problems: readonly string[];
  /** The fewest ready pods of each guarantee, by its name. */
  readonly fewest: ReadonlyMap<string, number>;
}

/** Observes all pods during an action; problems of the observation itself come first. */
export async function watchPods(
  { api }: Cluster,
  guarantees: readonly PodGuarantee[],
  work: () => Promise<readonly string[]>,
): Promise<Observation> {
  const path = '/api/v1/pods';
  const { items, metadata } = await api.get<ObjectList<Pod>>(path);
  const observer = new PodObserver(items, guarantees);
  const end = new AbortController();
  let lost: unknown;
  const watching = (async () => {
    for await (const event of api.watch<Pod>(path, metadata.resourceVersion, end.signal)) {
      if (event.type === 'ERROR') throw new Error(JSON.stringify(event.object));
      if (event.type !== 'BOOKMARK') observer.take(event);
    }
    throw new Error('the server closed the watch');
  })().catch((error: unknown) => {
    if (!end.signal.aborted) lost = error;
  });
  const problems = await work();
  end.abort();
  await watching;
  const blind = lost === undefined ? [] : [`the pods could not be observed to the end: ${String(lost)}`];
  return { problems: [...problems, ...blind, ...observer.problems], fewest: observer.fewest };
}
