import { setTimeout as sleep } from 'node:timers/promises';
import { Outcome, kubectl, run } from '../checks/external-tools';
import { ControlPlane } from './control-plane';
import { KubernetesApi } from './kubernetes-api';

/** A running cluster, accessed by kubectl and by its API. */
export class Cluster {
  constructor(private readonly plane: Pick<ControlPlane, 'kubeconfig' | 'api'>) {}

  get api(): KubernetesApi {
    return this.plane.api;
  }

  /** Runs kubectl as an administrator to its end. */
  kubectl(...args: string[]): Promise<Outcome> {
    return run(kubectl(), ['--kubeconfig', this.plane.kubeconfig, ...args]);
  }
}

/** Repeats a check until there are no problems; after the timeout returns the last ones. */
export async function settled(probe: () => Promise<string[]>, timeoutMs: number): Promise<string[]> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const problems = await probe();
    if (problems.length === 0 || Date.now() > deadline) return problems;
    await sleep(500);
  }
}
