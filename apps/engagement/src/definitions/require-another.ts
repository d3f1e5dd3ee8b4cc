import { CodedError } from '@podium/messages';
import { Operator } from '@podium/runtime/http';

/** Throws `forbidden` for the operator who did the thing to approve; `deed` completes the sentence, as in `wrote version 2`. */
export function requireAnother(operator: Operator, otherId: string | null, deed: string): void {
  if (operator.operatorId !== otherId) return;
  throw new CodedError('forbidden', {
    message: `You ${deed}; another operator with the role approver must approve it.`,
  });
}
