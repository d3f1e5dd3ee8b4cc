const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

/** The shell commands that a page of the documentation site shows, as text; one entry per block. */
export function siteCommands(html: string): string[] {
  return [...html.matchAll(/<div class="language-sh[^>]*>[\s\S]*?<code>([\s\S]*?)<\/code>/g)].map(([, code]) =>
    code.replaceAll(/<[^>]*>/g, '').replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? entity),
  );
}
