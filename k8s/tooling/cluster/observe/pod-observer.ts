import { Labels } from '../../rules/network-policy';
import { matches } from '../../rules/workloads';
import { WatchEvent } from '../kubernetes-api';
import { Pod, hasEnded, isLeaving, readySinceMs, toldToLeaveMs } from './pods';

/** What must hold of the pods of one workload at every moment. */
export interface PodPromise {
  readonly namespace: string;
  /** Of whom it is, for findings. */
  readonly name: string;
  readonly labels: Labels;
  /** So many are ready, those that leave not counted. */
  readonly leastReady: number;
  /** So many there are at most, those that leave not counted, but for `surplusMs`. */
  readonly most?: number;
  /** A pod is told to leave only while `leastReady` others have been ready for so long. */
  readonly minReadySeconds?: number;
}

/** The server's times are in whole seconds. */
const toleranceMs = 1000;

/**
 * How long there may be more pods than promised. A Deployment keeps its bound in the sizes of its ReplicaSets; each of these
 * follows by itself, so that the new one may make a pod before the old one has told one to leave.
 */
const surplusMs = 5_000;

/**
 * Holds promises against every single change of pods. It sees each state that the store ever had, so that a gap
 * of a millisecond is found as surely as one of a minute.
 */
export class PodObserver {
  private readonly pods = new Map<string, Pod>();
  private readonly found = new Set<string>();
  /** Since when a promise has had more pods than it may, and how many at most. */
  private readonly surplus = new Map<PodPromise, { readonly sinceMs: number; readonly pods: number }>();
  /** The fewest ready pods of each promise, by its name. */
  readonly fewest = new Map<string, number>();

  constructor(
    pods: readonly Pod[],
    private readonly promises: readonly PodPromise[],
    private readonly now: () => number = Date.now,
  ) {
    for (const pod of pods) this.pods.set(pod.metadata.uid, pod);
    this.check();
  }

  /** What was broken until now, each once. */
  get problems(): string[] {
    for (const promise of this.promises) this.checkSurplus(promise, this.staying(promise).length);
    return [...this.found];
  }

  /** Takes a change, in the order of the server. */
  take({ type, object }: WatchEvent<Pod>): void {
    const before = this.pods.get(object.metadata.uid);
    if (type === 'DELETED') this.pods.delete(object.metadata.uid);
    else this.pods.set(object.metadata.uid, object);
    const leaves = isLeaving(object) || type === 'DELETED';
    if (before && !isLeaving(before) && leaves && !hasEnded(before)) this.checkLeaver(object);
    this.check();
  }

  private check(): void {
    for (const promise of this.promises) {
      const staying = this.staying(promise);
      const ready = staying.filter((pod) => readySinceMs(pod) !== undefined).length;
      this.fewest.set(promise.name, Math.min(ready, this.fewest.get(promise.name) ?? Infinity));
      if (ready < promise.leastReady)
        this.found.add(`${promise.name} had ${ready} ready pods, and ${promise.leastReady} are promised`);
      this.checkSurplus(promise, staying.length);
    }
  }

  private checkSurplus(promise: PodPromise, count: number): void {
    const { name, most = Infinity } = promise;
    const before = this.surplus.get(promise);
    if (before && this.now() - before.sinceMs > surplusMs)
      this.found.add(
        `${name} had ${before.pods} pods for over ${surplusMs / 1000} s, and at most ${most} are promised`,
      );
    if (count <= most) this.surplus.delete(promise);
    else
      this.surplus.set(promise, { sinceMs: before?.sinceMs ?? this.now(), pods: Math.max(count, before?.pods ?? 0) });
  }

  private checkLeaver(leaver: Pod): void {
    const at = isLeaving(leaver) ? toldToLeaveMs(leaver) : Date.now();
    for (const promise of this.promises) {
      const { name, leastReady, minReadySeconds } = promise;
      if (minReadySeconds === undefined || !isOf(promise, leaver)) continue;
      const proven = this.podsOf(promise).filter((pod) => {
        const since = readySinceMs(pod);
        return since !== undefined && at - since + toleranceMs >= minReadySeconds * 1000;
      });
      if (proven.length < leastReady)
        this.found.add(
          `${name} let a pod go while ${proven.length} others had been ready for ${minReadySeconds} s, and ${leastReady} are promised`,
        );
    }
  }

  private staying(promise: PodPromise): Pod[] {
    return this.podsOf(promise).filter((pod) => !isLeaving(pod));
  }

  private podsOf(promise: PodPromise): Pod[] {
    return [...this.pods.values()].filter((pod) => !hasEnded(pod) && isOf(promise, pod));
  }
}

function isOf({ namespace, labels }: PodPromise, { metadata }: Pod): boolean {
  return metadata.namespace === namespace && matches({ matchLabels: labels }, metadata.labels ?? {});
}
