import { Labels } from '../../rules/network-policy-types';
import { matches } from '../../rules/workloads';
import { WatchEvent } from '../kubernetes-api';
import { Pod, hasEnded, isLeaving, readySinceMs, toldToLeaveMs } from './pods';

/** Guarantees for the pods of one workload that must hold at every moment. */
export interface PodGuarantee {
  readonly namespace: string;
  /** The owner, for findings. */
  readonly name: string;
  readonly labels: Labels;
  /** Minimum of ready pods, terminating ones not counted. */
  readonly leastReady: number;
  /** Maximum of pods, terminating ones not counted; may be exceeded for `surplusMs`. */
  readonly most?: number;
  /** A pod is deleted only while `leastReady` others have been ready for this many seconds. */
  readonly minReadySeconds?: number;
}

/** The server's times are in whole seconds. */
const toleranceMs = 1000;

/**
 * How long there may be more pods than allowed. A Deployment bounds the sizes of its ReplicaSets, which act
 * independently: the new one may create a pod before the old one has deleted one.
 */
const surplusMs = 5_000;

/**
 * Checks guarantees against every single change of pods. It sees each state of the store, so it finds even a gap of a
 * millisecond.
 */
export class PodObserver {
  private readonly pods = new Map<string, Pod>();
  private readonly found = new Set<string>();
  /** Since when there have been too many pods, and the maximum seen. */
  private readonly surplus = new Map<PodGuarantee, { readonly sinceMs: number; readonly pods: number }>();
  /** The fewest ready pods of each guarantee, by its name. */
  readonly fewest = new Map<string, number>();

  constructor(
    pods: readonly Pod[],
    private readonly guarantees: readonly PodGuarantee[],
    private readonly now: () => number = Date.now,
  ) {
    for (const pod of pods) this.pods.set(pod.metadata.uid, pod);
    this.check();
  }

  /** Violations so far, each once. */
  get problems(): string[] {
    for (const guarantee of this.guarantees) this.checkSurplus(guarantee, this.staying(guarantee).length);
    return [...this.found];
  }

  /** Applies a change; call in the server's order. */
  take({ type, object }: WatchEvent<Pod>): void {
    const before = this.pods.get(object.metadata.uid);
    if (type === 'DELETED') this.pods.delete(object.metadata.uid);
    else this.pods.set(object.metadata.uid, object);
    const leaves = isLeaving(object) || type === 'DELETED';
    if (before && !isLeaving(before) && leaves && !hasEnded(before)) this.checkLeaver(object);
    this.check();
  }

  private check(): void {
    for (const guarantee of this.guarantees) {
      const staying = this.staying(guarantee);
      const ready = staying.filter((pod) => readySinceMs(pod) !== undefined).length;
      this.fewest.set(guarantee.name, Math.min(ready, this.fewest.get(guarantee.name) ?? Infinity));
      if (ready < guarantee.leastReady)
        this.found.add(`${guarantee.name} had ${ready} ready pods, and ${guarantee.leastReady} are guaranteed`);
      this.checkSurplus(guarantee, staying.length);
    }
  }

  private checkSurplus(guarantee: PodGuarantee, count: number): void {
    const { name, most = Infinity } = guarantee;
    const before = this.surplus.get(guarantee);
    if (before && this.now() - before.sinceMs > surplusMs)
      this.found.add(
        `${name} had ${before.pods} pods for over ${surplusMs / 1000} s, and at most ${most} are guaranteed`,
      );
    if (count <= most) this.surplus.delete(guarantee);
    else
      this.surplus.set(guarantee, { sinceMs: before?.sinceMs ?? this.now(), pods: Math.max(count, before?.pods ?? 0) });
  }

  private checkLeaver(leaver: Pod): void {
    const at = isLeaving(leaver) ? toldToLeaveMs(leaver) : Date.now();
    for (const guarantee of this.guarantees) {
      const { name, leastReady, minReadySeconds } = guarantee;
      if (minReadySeconds === undefined || !isOf(guarantee, leaver)) continue;
      const proven = this.podsOf(guarantee).filter((pod) => {
        const since = readySinceMs(pod);
        return since !== undefined && at - since + toleranceMs >= minReadySeconds * 1000;
      });
      if (proven.length < leastReady)
        this.found.add(
          `${name} deleted a pod while ${proven.length} others had been ready for ${minReadySeconds} s, and ${leastReady} are guaranteed`,
        );
    }
  }

  private staying(guarantee: PodGuarantee): Pod[] {
    return this.podsOf(guarantee).filter((pod) => !isLeaving(pod));
  }

  private podsOf(guarantee: PodGuarantee): Pod[] {
    return [...this.pods.values()].filter((pod) => !hasEnded(pod) && isOf(guarantee, pod));
  }
}

function isOf({ namespace, labels }: PodGuarantee, { metadata }: Pod): boolean {
  return metadata.namespace === namespace && matches({ matchLabels: labels }, metadata.labels ?? {});
}
