/** The components that the operators' OpenAPI document refers to in segments and tasks. */
export { definitionSchemas } from './definitions/definition-schemas';
