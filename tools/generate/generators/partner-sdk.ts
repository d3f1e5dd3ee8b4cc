import { ErrorRow, errorCatalogue } from '../../../libs/messages/src';
import { GeneratedFile } from './generated-file';
import { typesOf } from './client-types';

const folder = 'sdk/typescript/src/generated';

/** What the partners' SDK knows of the API: types of the send-event endpoint, and the error catalogue. */
export async function partnerSdk(documents: readonly GeneratedFile[]): Promise<GeneratedFile[]> {
  const rows = Object.entries<ErrorRow>(errorCatalogue).map(
    ([code, { status, retry, retryAfterS }]) =>
      `  ${code}: { status: ${status}, retry: '${retry}'${retryAfterS === undefined ? '' : `, retryAfterS: ${retryAfterS}`} },\n`,
  );
  return [
    {
      path: `${folder}/partner-events.ts`,
      content: await typesOf(documents, 'docs/openapi/partner-events.json'),
    },
    {
      path: `${folder}/error-codes.ts`,
      content: `// Generated from the error catalogue (docs/errors.md).

/** The retry class and default Retry-After, in whole seconds, of each error code. */
export const errorCodes = {
${rows.join('')}} as const;
`,
    },
  ];
}
