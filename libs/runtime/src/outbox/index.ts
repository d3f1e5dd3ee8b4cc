export * from './outbox-relay';
export * from './outbox.store';
