import { Manifest } from '../generators/yaml-file';
import { blocksOf } from './operations-page';

/** What sets the replicas of a Deployment. */
export interface Autoscaler {
  readonly deployment: string;
  /** As commands name it. */
  readonly resource: 'hpa' | 'scaledobject';
  readonly name: string;
  /** The field of its minimum. */
  readonly field: 'minReplicas' | 'minReplicaCount';
  readonly min: number;
  readonly max: number;
}

/** The autoscalers of a deployment's manifests. */
export function autoscalersOf(objects: readonly Manifest[]): Autoscaler[] {
  return objects.flatMap(({ kind, metadata: { name }, spec }) => {
    if (kind !== 'HorizontalPodAutoscaler' && kind !== 'ScaledObject') return [];
    const { scaleTargetRef, ...bounds } = spec as Record<string, number> & { scaleTargetRef: { name: string } };
    const deployment = scaleTargetRef.name;
    return kind === 'ScaledObject'
      ? {
          ...({ deployment, resource: 'scaledobject', name, field: 'minReplicaCount' } as const),
          ...{ min: bounds.minReplicaCount, max: bounds.maxReplicaCount },
        }
      : {
          ...({ deployment, resource: 'hpa', name, field: 'minReplicas' } as const),
          ...{ min: bounds.minReplicas, max: bounds.maxReplicas },
        };
  });
}

/**
 * Commands of a page that an autoscaler would undo, changes of autoscalers that the manifests do not have or that leave
 * their bounds, and changes whose reader is not told that they end the apply of another value with a conflict. A Deployment at 0 is
 * left alone by an hpa; of a ScaledObject that needs the pause as well. From 0 a Deployment is started by `scale`, up to the minimum
 * that the autoscaler then keeps.
 */
export function scalingProblems(text: string, autoscalers: readonly Autoscaler[]): string[] {
  const commands = blocksOf(text, 'sh').join('\n').replaceAll('\\\n', ' ').split('\n');
  const code = [...commands, ...text.matchAll(/`(kubectl [^`\n]+)`/g)].map((each) =>
    typeof each === 'string' ? each : each[1],
  );
  const stops = new Set(
    code.flatMap((command) => scaledIn(command).filter(({ to }) => to === 0)).map(({ name }) => name),
  );
  const isPaused = (name: string): boolean =>
    code.some((command) =>
      new RegExp(`annotate scaledobject ${name} autoscaling\\.keda\\.sh/paused-replicas`).test(command),
    );
  const scaled = code.flatMap(scaledIn).flatMap(({ name, to }) => {
    const scaler = autoscalers.find(({ deployment }) => deployment === name);
    if (!scaler) return [];
    const isLeftAlone = scaler.resource === 'hpa' || isPaused(scaler.name);
    if (isLeftAlone && (to === 0 || (stops.has(name) && to <= scaler.min))) return [];
    return [
      `the autoscaler of ${name} undoes its scale to ${to}: patch ${scaler.field} of ${scaler.resource} ${scaler.name}`,
    ];
  });
  return [...scaled, ...code.flatMap((command) => patchProblems(command, autoscalers)), ...untoldConflicts(text, code)];
}

/** What kubectl has set belongs to it: the apply of another value, other than from 0, ends with a conflict. */
function untoldConflicts(text: string, code: readonly string[]): string[] {
  const isChanged = code.some(
    (command) => /\bpatch (hpa|scaledobject) /.test(command) || scaledIn(command).some(({ to }) => to > 0),
  );
  return isChanged && !text.includes('conflict')
    ? ['the apply of the next release ends with a conflict, and the page does not say so']
    : [];
}

function scaledIn(command: string): { name: string; to: number }[] {
  const [, names, to] = /scale deployment ((?:[a-z][\w-]*\s+)+)--replicas=(\d+)/.exec(command) ?? [];
  return names === undefined
    ? []
    : names
        .trim()
        .split(/\s+/)
        .map((name) => ({ name, to: Number(to) }));
}

function patchProblems(command: string, autoscalers: readonly Autoscaler[]): string[] {
  const [, resource, name, options] = /patch (hpa|scaledobject) (\S+) (.+)$/.exec(command) ?? [];
  if (name === undefined) return [];
  const scaler = autoscalers.find((each) => each.resource === resource && each.name === name);
  if (!scaler) return [`the manifests have no ${resource} ${name}`];
  // A strategic merge, the default, does not exist for custom resources.
  const value = Number(/^--type=merge -p '\{"spec":\{"(\w+)":(\d+)\}\}'$/.exec(options)?.[2]);
  if (!options.includes(`{"spec":{"${scaler.field}":`) || Number.isNaN(value))
    return [`${resource} ${name} is not patched by --type=merge -p '{"spec":{"${scaler.field}":<number>}}'`];
  const isWithin = value > scaler.min && value <= scaler.max;
  return isWithin
    ? []
    : [`${resource} ${name} can be patched from ${scaler.min + 1} to ${scaler.max}, not to ${value}`];
}
