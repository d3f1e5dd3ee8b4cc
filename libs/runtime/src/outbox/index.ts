export * from './outbox-failover-fence';
export * from './outbox-gauges';
export * from './outbox-relay';
export * from './outbox-timeline.store';
export { outboxBatchBytes } from './outbox-value';
export * from './outbox.store';
export * from './published-since';
export * from './reconcile-after-failover';
