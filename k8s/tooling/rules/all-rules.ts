import { CheckResult } from '../checks/check-list';
import { Overlay } from '../checks/overlays';
import { capacity } from './capacity';
import { configurations } from './configuration';
import { edgeHosts } from './edge-hosts';
import { edgeTimeouts } from './edge-timeouts';
import { deployedServices } from './deployed-services';
import { disruption } from './disruption-budgets';
import { ipBlocks } from './ip-blocks';
import { jobsOfRelease } from './jobs-of-release';
import { lifecycle } from './pod-lifecycle';
import { networkConnections } from './network-connections';
import { podNames } from './pod-names';
import { podSecurity } from './pod-security';
import { references } from './references';
import { secretReload } from './secret-reload';
import { separation } from './deployment-separation';
import { statementLogs } from './statement-logs';
import { durability } from './store-durability';
import { trustedProxies } from './trusted-proxies';
import { watchedCertificates } from './watched-certificates';

/** Podium's own rules over all rendered overlays. */
export const rules: readonly { readonly name: string; check(overlays: readonly Overlay[]): CheckResult }[] = [
  { name: 'Deployed services', check: deployedServices },
  { name: 'Pod security', check: podSecurity },
  { name: 'Pod names', check: podNames },
  { name: 'Probes, shutdown and heap', check: lifecycle },
  { name: 'Jobs of a release', check: jobsOfRelease },
  { name: 'Disruption budgets', check: disruption },
  { name: 'Capacity', check: capacity },
  { name: 'Network allowedConnections', check: networkConnections },
  { name: 'Hosts of the edge', check: edgeHosts },
  { name: 'Exports at the edge', check: edgeTimeouts },
  { name: 'IP blocks of network policies', check: ipBlocks },
  { name: 'Configuration', check: configurations },
  { name: 'Trusted proxies', check: trustedProxies },
  { name: 'References', check: references },
  { name: 'Renewed secrets', check: secretReload },
  { name: 'Separation of deployments', check: separation },
  { name: 'Durability', check: durability },
  { name: 'Logs of Postgres', check: statementLogs },
  { name: 'Watched certificates', check: watchedCertificates },
];
