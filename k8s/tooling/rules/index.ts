import { CheckResult } from '../checks/check-list';
import { Overlay } from '../checks/overlays';
import { capacity } from './capacity';
import { configurations } from './configuration';
import { disruption } from './disruption';
import { ipBlocks } from './ip-blocks';
import { jobsOfRelease } from './jobs-of-release';
import { lifecycle } from './lifecycle';
import { networkEdges } from './network-edges';
import { podNames } from './pod-names';
import { podSecurity } from './pod-security';
import { references } from './references';
import { separation } from './separation';
import { durability } from './stores';

/** Rules of ours over all rendered overlays. */
export const rules: readonly { readonly name: string; check(overlays: readonly Overlay[]): CheckResult }[] = [
  { name: 'Pod security', check: podSecurity },
  { name: 'Names of pods', check: podNames },
  { name: 'Probes, stop and heap', check: lifecycle },
  { name: 'Jobs of a release', check: jobsOfRelease },
  { name: 'Disruption budgets', check: disruption },
  { name: 'Capacity', check: capacity },
  { name: 'Network edges', check: networkEdges },
  { name: 'Networks of policies', check: ipBlocks },
  { name: 'Configuration', check: configurations },
  { name: 'References', check: references },
  { name: 'Separation of deployments', check: separation },
  { name: 'Durability', check: durability },
];
