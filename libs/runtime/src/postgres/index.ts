export * from './copy-into';
export * from './data-source';
export * from './entity-queryable';
export * from './held-session';
export * from './identity-digest';
export * from './pool';
export * from './queryable';
export * from './schema-version';
