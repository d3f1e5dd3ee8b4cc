import { ErrorRow, errorCatalogue } from '../../../libs/messages/src';
import { GeneratedFile } from './generated-file';
import { JsonSchema, typedDicts } from './python-types';

const folder = 'sdk/python/src/podium_partner/generated';

/** What the partners' SDK for Python knows of the API: types of its bodies, and the error catalogue. */
export function partnerSdkPython(documents: readonly GeneratedFile[]): GeneratedFile[] {
  const document = documents.find(({ path }) => path === 'docs/openapi/partner-events.json');
  if (!document) throw new Error('docs/openapi/partner-events.json is missing');
  const { components } = JSON.parse(document.content) as { components: { schemas: Record<string, JsonSchema> } };
  return [
    { path: `${folder}/__init__.py`, content: '"""Generated from the OpenAPI document and the error catalogue."""\n' },
    { path: `${folder}/error_codes.py`, content: errorCodes() },
    {
      path: `${folder}/partner_events.py`,
      content: typedDicts('docs/openapi/partner-events.json', components.schemas),
    },
  ];
}

function errorCodes(): string {
  const rows = Object.entries<ErrorRow>(errorCatalogue).map(
    ([code, { status, retry, retryAfterS }]) =>
      `    "${code}": ErrorCode(${[status, `"${retry}"`, ...(retryAfterS === undefined ? [] : [`${retryAfterS}.0`])].join(', ')}),\n`,
  );
  return `"""Generated from the error catalogue (docs/errors.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple


class ErrorCode(NamedTuple):
    """The status, the retry class and the default Retry-After in seconds of an error code."""

    status: int
    retry: Literal["never", "later", "pause", "now"]
    retry_after_s: float | None = None


ERROR_CODES: Mapping[str, ErrorCode] = {
${rows.join('')}}
`;
}
