import { CodedError } from '@podium/messages';
import { Operator } from '@podium/runtime/http';

/**
 * Who may publish or approve what somebody else wrote, gave or published: an approver who did not do it (the four-eyes
 * principle). Throws `forbidden` for the operator who did; `deed` completes the sentence, as in `wrote version 2`. Callers check
 * the role.
 */
export function requireAnother(operator: Operator, otherId: string | null, deed: string): void {
  if (operator.operatorId !== otherId) return;
  throw new CodedError('forbidden', {
    message: `You ${deed}; another operator with the role approver must approve it.`,
  });
}
