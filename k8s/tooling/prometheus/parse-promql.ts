import { parser } from '@prometheus-io/lezer-promql';

/** A node of the grammar's tree. */
type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];

/** A matcher of a selector; the value without its quotes. */
export interface Matcher {
  readonly label: string;
  readonly operator: '=' | '!=' | '=~' | '!~';
  readonly value: string;
}

/** A selector of a query, and its position in the text. */
export interface Selector {
  readonly metric: string;
  readonly matchers: readonly Matcher[];
  /** Labels by which an aggregation around it groups. */
  readonly groupedBy: readonly string[];
  readonly from: number;
  readonly to: number;
}

/** The selectors of a query, by the grammar of Prometheus' own editor. Throws when the text is not PromQL. */
export function selectorsOf(query: string): Selector[] {
  const tree = parser.parse(query);
  const nodes: SyntaxNode[] = [];
  tree.iterate({
    enter: ({ type, node }) => {
      if (type.isError) throw new Error(`not PromQL at ${node.from} of ${query}`);
      if (type.name === 'VectorSelector') nodes.push(node);
    },
  });
  return nodes.map((node) => selectorOf(node, query));
}

/** The query with these matchers in every selector. */
export function withMatchers(query: string, matchers: string): string {
  let text = query;
  for (const { to, from } of selectorsOf(query).toReversed()) {
    const selector = text.slice(from, to);
    const open = selector.indexOf('{');
    const inner = open < 0 ? '' : selector.slice(open + 1, -1);
    const name = open < 0 ? selector : selector.slice(0, open);
    text = `${text.slice(0, from)}${name}{${[inner, matchers].filter(Boolean).join(',')}}${text.slice(to)}`;
  }
  return text;
}

function selectorOf(node: SyntaxNode, query: string): Selector {
  const text = (part: SyntaxNode | null): string => (part ? query.slice(part.from, part.to) : '');
  const matchers = node
    .getChild('LabelMatchers')
    ?.getChildren('UnquotedLabelMatcher')
    .map((matcher) => ({
      label: text(matcher.getChild('LabelName')),
      operator: text(matcher.getChild('MatchOp')) as Matcher['operator'],
      value: JSON.parse(text(matcher.getChild('StringLiteral'))) as string,
    }));
  const groupedBy: string[] = [];
  for (let parent = node.parent; parent; parent = parent.parent) {
    const labels = parent.name === 'AggregateExpr' && parent.getChild('AggregateModifier')?.getChild('GroupingLabels');
    if (labels) groupedBy.push(...labels.getChildren('LabelName').map(text));
  }
  return {
    metric: text(node.getChild('Identifier')),
    matchers: matchers ?? [],
    groupedBy,
    from: node.from,
    to: node.to,
  };
}
