import { Registry, collectDefaultMetrics } from 'prom-client';

export { Counter, Gauge, Histogram, Registry } from 'prom-client';
export { BoundedLabel } from './bounded-label';
export { Tally } from './tally';

/** The process's Prometheus registry with Node's own metrics (event-loop delay, memory, descriptors). */
export function createRegistry(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return registry;
}
