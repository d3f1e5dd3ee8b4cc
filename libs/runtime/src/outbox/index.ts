export * from './outbox-age';
export * from './outbox-failover-fence';
export * from './outbox-relay';
export * from './outbox-timeline.store';
export * from './outbox.store';
export * from './published-since';
export * from './reconcile-after-failover';
