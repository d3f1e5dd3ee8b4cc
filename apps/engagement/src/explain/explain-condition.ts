import { isConverted } from '../evaluation/compile-converted';
import { CompileContext } from '../evaluation/condition-node';
import { Condition } from '../evaluation/condition';
import { ComparisonExplanation, ConditionExplanation, ExplainedMoment } from './comparison-explanation';
import { explainComparison } from './explain-comparison';
import { explainConverted } from './explain-converted';
import { explainInSegment, explainLatest, explainSequence } from './explain-state';

/** Explains every comparison of a condition in canonical form (docs/engine.md, rule 6). */
export function explainCondition(
  condition: Condition,
  context: CompileContext,
  moment: ExplainedMoment,
  path: string,
): ConditionExplanation {
  if ('not' in condition) {
    const { holds, comparisons } = explainCondition(condition.not, context, moment, `${path}.not`);
    return { holds: !holds, comparisons };
  }
  if ('all' in condition) {
    const branches = explainBranches('all', condition.all, context, moment, path);
    return { holds: branches.every(({ holds }) => holds), comparisons: comparisonsOf(branches) };
  }
  if ('any' in condition) {
    const branches = explainBranches('any', condition.any, context, moment, path);
    return { holds: branches.some(({ holds }) => holds), comparisons: comparisonsOf(branches) };
  }
  const comparison = explainLeaf(condition, context, moment, path);
  return { holds: comparison.holds, comparisons: [comparison] };
}

function explainBranches(
  kind: 'all' | 'any',
  branches: readonly Condition[],
  context: CompileContext,
  moment: ExplainedMoment,
  path: string,
): ConditionExplanation[] {
  return branches.map((branch, index) => explainCondition(branch, context, moment, `${path}.${kind}[${index}]`));
}

function comparisonsOf(branches: readonly ConditionExplanation[]): ComparisonExplanation[] {
  return branches.flatMap(({ comparisons }) => comparisons);
}

function explainLeaf(
  condition: Exclude<Condition, { all: unknown } | { any: unknown } | { not: unknown }>,
  context: CompileContext,
  moment: ExplainedMoment,
  path: string,
): ComparisonExplanation {
  if ('in_segment' in condition) return explainInSegment(condition, context, moment, path);
  if ('latest' in condition) return explainLatest(condition, context, moment, path);
  if ('sequence' in condition) return explainSequence(condition, context, moment, path);
  return isConverted(condition)
    ? explainConverted(condition, context, moment, path)
    : explainComparison(condition, context, moment, path);
}
