import { ErrorRow, errorCatalogue } from '../../../libs/messages/src';
import { GeneratedFile } from './generated-file';

/** The error catalogue as a page of the repository, and as one for partners without what an error means inside. */
export function errorsPages(): GeneratedFile[] {
  return [{ path: 'docs/site/errors.md', content: sitePage() }, ...repositoryPage()];
}

function repositoryPage(): GeneratedFile[] {
  const sections = Object.entries<ErrorRow>(errorCatalogue).map(
    ([code, row]) => `## ${code}

| | |
|---|---|
| Status | ${row.status} |
| Retry | ${retryOf(row)} |
| At the data edge | \`${row.dataCode}\` |
| Retry-After | ${retryAfterOf(row)} |
| What the caller reads | ${row.publicSentence} |
| What it means inside | ${row.internalSentence} |
`,
  );
  return [
    {
      path: 'docs/errors.md',
      content: `# Errors

Every answer that is not a success is \`{"error":{"code","message","retry"}}\` with a code of this catalogue; the message may
name the field at fault. Partners retry every error (the specification, Flow rules 5), after Retry-After where it is given. How
they do so is the error's retry class, which is in the field \`retry\`:

| Retry | What a sender of events does |
|---|---|
| now | sends the event again after Retry-After, then with growing delays |
| later | sets the event aside on a schedule of its own, which blocks no other event |
| pause | stops sending and tells a person: address, key or integration need a change |
| never | keeps the event in a file for a person: the same bytes cannot succeed |

Under \`/data/v4\` the same errors have the shape \`{"errors":[{"message","code","http_status","parameters"}]}\`: \`code\` is the
one given here for the data edge, \`parameters\` names the arguments at fault.

${sections.join('\n')}`,
    },
  ];
}

/** The page at /docs/errors; error bodies link to the code as its anchor. */
function sitePage(): string {
  const sections = Object.entries<ErrorRow>(errorCatalogue).map(
    ([code, row]) => `## ${code} {#${code}}

${row.publicSentence.replaceAll('<', '&lt;')}

| Property | Value |
|---|---|
| Status | ${row.status} |
| Retry | ${retryOf(row, '(#retry-classes)')} |
| Data code | \`${row.dataCode}\` |
| Retry-After | ${retryAfterOf(row)} |
`,
  );
  return `# Error catalogue

Every response that is not a success has this format. The \`code\` is stable; the \`message\` may name the invalid field.

\`\`\`json
{ "error": { "code": "user_not_linked", "message": "…", "retry": "later" } }
\`\`\`

Below \`/data/v4\` the format is different, and \`code\` is the data code:

\`\`\`json
{ "errors": [{ "message": "…", "code": "err_nf0", "http_status": 404, "parameters": [] }] }
\`\`\`

## Retry classes

Retry every error, after the time in \`Retry-After\` if there is one. The class, which is in the field \`retry\`, says how.

| Retry | What a sender of events does |
|---|---|
| now | sends the event again after Retry-After, then with growing delays |
| later | sets the event aside on a schedule of its own, which blocks no other event |
| pause | stops sending and tells a person: address, key or integration need a change |
| never | keeps the event in a file for a person: the same bytes cannot succeed |

${sections.join('\n')}`;
}

/** The retry class of a code, and when answers name another one; each as a link when an address is given. */
function retryOf({ retry, otherRetry }: ErrorRow, address?: string): string {
  const linked = (name: string): string => (address === undefined ? name : `[${name}]${address}`);
  return otherRetry === undefined ? linked(retry) : `${linked(retry)}; ${linked(otherRetry.retry)} ${otherRetry.when}`;
}

function retryAfterOf({ retryAfterS, otherRetry }: ErrorRow): string {
  const otherwise = 'unless the response says otherwise';
  if (retryAfterS !== undefined) return `${retryAfterS} s ${otherwise}`;
  return otherRetry === undefined ? 'none' : `none ${otherwise}`;
}
