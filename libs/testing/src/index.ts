export * from './black-hole';
export * from './keep-alive-of';
export * from './scratch-folders';
export * from './stack';
export * from './test-issuer';
