import { Page } from 'playwright-core';

/** Visible elements with text of their own that reach beyond the window; what scrolls by itself may be wider. */
export function cutOff(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const width = document.documentElement.clientWidth;
    const scrolls = (element) => {
      for (let each = element; each && each !== document.body; each = each.parentElement ?? each.getRootNode().host)
        if (/auto|scroll/.test(getComputedStyle(each).overflowX) && each.getBoundingClientRect().right <= width + 1) return true;
      return false;
    };
    const below = (root) =>
      [...root.querySelectorAll('*')].flatMap((each) => [each, ...(each.shadowRoot ? below(each.shadowRoot) : [])]);
    const found = below(document.body).filter((element) => {
      if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) return false;
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
      const { left, right, width: own } = element.getBoundingClientRect();
      return own > 1 && (left < -1 || right > width + 1) && !scrolls(element);
    });
    if (document.documentElement.scrollWidth > width) found.push(document.documentElement);
    return found.map((element) => element.tagName + ' ' + element.textContent.trim().slice(0, 60));
  })()`);
}

/** Words of a list that a page shows over more than one line. */
export function brokenWords(page: Page, words: readonly string[]): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const broken = new Set();
    const pattern = new RegExp('(?<![\\\\w-])(?:' + ${JSON.stringify(words.join('|'))} + ')(?![\\\\w-])', 'g');
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode())
      for (const match of node.data.matchAll(pattern)) {
        const range = document.createRange();
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)));
        if (lines.size > 1) broken.add(match[0]);
      }
    return [...broken];
  })()`);
}
