/** Words and phrases private to this repository, each with the field's standard term. */
const standardTerms = [
  [/(?<![A-Za-z])anew(?![a-z])|(?<![A-Z])Anew(?![a-z])/g, 'again, or re-…'],
  [/(?<![A-Za-z])mend(s|ed|ing)?(?![a-z])|(?<![A-Z])Mend(s|ed|ing)?(?![a-z])/g, 'fix'],
  [/(?<![A-Za-z])(kick|poke)(s|d|ed|ing)?(?![a-z])|(?<![A-Z])(Kick|Poke)(s|d|ed|ing)?(?![a-z])/g, 'wake'],
  [/\bto[\s*/]+be[\s*/]+had\b/gi, 'available'],
  [/\bnone[\s*/]+of[\s*/]+ours\b/gi, 'invalid, or not issued here'],
  [/\bst(ands?|anding|ood)[\s*/]+still\b/gi, 'paused'],
];

/** Bans these words in code, comments, texts and, with a plain parser, in any file. */
export const plainWords = {
  meta: { type: 'suggestion', schema: [], messages: { plain: '"{{word}}": the standard term is {{term}}.' } },
  create: ({ sourceCode, report }) => ({
    Program() {
      for (const [pattern, term] of standardTerms)
        for (const { 0: word, index } of sourceCode.text.matchAll(pattern))
          report({
            loc: {
              start: sourceCode.getLocFromIndex(index),
              end: sourceCode.getLocFromIndex(index + word.length),
            },
            messageId: 'plain',
            data: { word, term },
          });
    },
  }),
};
