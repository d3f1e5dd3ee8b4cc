import { StackFailure } from '../../tools/stack/failure';
import { FaultContext } from './fault-context';
import { FaultKind } from './kinds/fault-kind';

/** The kinds that can be injected on this machine and stack; refuses a run without any, which would show nothing. */
export function possibleKinds(
  kinds: readonly FaultKind[],
  context: FaultContext,
  say: (line: string) => void,
): readonly FaultKind[] {
  const reasons: string[] = [];
  const possible = kinds.filter((kind) => {
    const reason = kind.impossible?.(context);
    if (!reason) return true;
    reasons.push(`${kind.name}: ${reason}`);
    say(`${kind.name} is skipped: ${reason}`);
    return false;
  });
  if (possible.length === 0) throw new StackFailure(`None of these kinds is possible here: ${reasons.join('; ')}.`);
  return possible;
}
