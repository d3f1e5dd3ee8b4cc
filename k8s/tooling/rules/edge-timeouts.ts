import * as fs from 'node:fs';
import * as path from 'node:path';
import { checkoutFolder } from '../../../tools/stack/folders';
import { CheckResult } from '../checks/check-list';
import { Overlay, nameOf, ofKind } from '../checks/overlays';

interface RouteRule {
  readonly matches?: readonly { readonly path?: { readonly type: string; readonly value: string } }[];
  readonly backendRefs?: readonly unknown[];
  readonly timeouts?: { readonly request?: string };
}

/** What is read of the operators' OpenAPI document. */
interface Document {
  readonly paths: Readonly<
    Record<string, { readonly get?: { readonly responses: Readonly<Record<string, { content?: object }>> } }>
  >;
}

/** The edge ends no export: it lasts as long as it has items, and the timeout of a request counts until its response is complete. */
export function edgeTimeouts(overlays: readonly Overlay[]): CheckResult {
  const exported = exportPaths();
  const problems = overlays.flatMap((overlay) =>
    ofKind(overlay, 'HTTPRoute').flatMap((route) => {
      const rules = (route.spec as { rules: RouteRule[] }).rules.filter(({ backendRefs }) => backendRefs);
      return exported.flatMap((exportPath) => {
        const request = ruleOf(rules, exportPath)?.timeouts?.request;
        return rules.length === 0 || request === '0s'
          ? []
          : [`${overlay.name}: ${nameOf(route)} ends ${exportPath} after ${request ?? 'the default of its class'}`];
      });
    }),
  );
  return { detail: `${exported.length} exports`, problems };
}

/** Paths of operations that stream lines. */
function exportPaths(): string[] {
  const file = path.join(checkoutFolder, 'docs/openapi/operators.json');
  const { paths } = JSON.parse(fs.readFileSync(file, 'utf8')) as Document;
  return Object.keys(paths).filter(
    (each) => 'application/x-ndjson' in (paths[each].get?.responses['200']?.content ?? {}),
  );
}

/** The rule that takes a path: that with the longest prefix. */
function ruleOf(rules: readonly RouteRule[], requested: string): RouteRule | undefined {
  const prefixes = rules.flatMap((rule) =>
    (rule.matches ?? [{}]).map(({ path: match }) => ({ rule, prefix: match?.value ?? '/' })),
  );
  return prefixes
    .filter(({ prefix }) => `${requested}/`.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`))
    .sort((a, b) => b.prefix.length - a.prefix.length)[0]?.rule;
}
