/** The components that the operators' OpenAPI document refers to in segments and tasks. */
export { definitionSchemas } from './definitions/definition-schemas';
/** The partners' questions about event ids, for their OpenAPI document. */
export { EventIdsDocumentationController } from './reconcile/event-ids-documentation.controller';
