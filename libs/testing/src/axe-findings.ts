import axe, { AxeResults } from 'axe-core';
import { Page } from 'playwright-core';

/** The rules of axe whose result depends on colours. */
export const colourRules = ['color-contrast', 'link-in-text-block'];

/** What axe finds on a page: each rule with the first elements that break it, and why. Only the given rules, if any are. */
export async function axeFindings(page: Page, rules: readonly string[] = []): Promise<string[][]> {
  // A page of which the colours are checked next has it.
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axe.source);
  const options = rules.length === 0 ? {} : { runOnly: rules };
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults;
  return violations.map(({ id, nodes }) => [
    id,
    ...nodes.slice(0, 3).map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`),
  ]);
}
