import { Manifest } from '../../generators/yaml-file';
import { Cluster } from '../cluster';
import { ObjectList } from '../kubernetes-api';

interface Event extends Manifest {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly involvedObject: { readonly kind: string; readonly name: string };
}

/** Warning events of controllers in a namespace, each once: why something is not running yet. */
export async function warningEvents({ api }: Cluster, namespace: string): Promise<string[]> {
  const { items } = await api.get<ObjectList<Event>>(`/api/v1/namespaces/${namespace}/events`);
  const complaints = items
    // Without metrics an autoscaler stays at its minimum, and warns every time.
    .filter(({ type, involvedObject }) => type === 'Warning' && involvedObject.kind !== 'HorizontalPodAutoscaler')
    .map(({ involvedObject: { kind, name }, reason, message }) => `${kind} ${name}: ${reason}: ${message}`);
  return [...new Set(complaints)].slice(0, 10);
}
