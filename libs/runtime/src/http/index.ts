export * from './bearer-tokens';
export * from './coded-error.filter';
export * from './field-rules';
export * from './internal-token';
export * from './operator';
export * from './operator.guard';
export * from './page';
export * from './validation.pipe';
