/** What `doctor` looks at, in its order. */
export type CheckName =
  'address' | 'network' | 'certificate' | 'key' | 'sending' | 'clock' | 'rate' | 'contract' | 'types' | 'refusals';

/** The result of one check; what is not well has a fix. */
export type Finding =
  | { readonly check: CheckName; readonly result: 'ok' | 'skipped'; readonly message: string }
  | {
      readonly check: CheckName;
      /** `problem`: events cannot be sent, or are refused. `warning`: they can, and something needs attention. */
      readonly result: 'problem' | 'warning';
      readonly message: string;
      readonly fix: string;
    };

export function ok(check: CheckName, message: string): Finding {
  return { check, result: 'ok', message };
}

export function skipped(check: CheckName, message: string): Finding {
  return { check, result: 'skipped', message };
}

export function warning(check: CheckName, message: string, fix: string): Finding {
  return { check, result: 'warning', message, fix };
}

export function problem(check: CheckName, message: string, fix: string): Finding {
  return { check, result: 'problem', message, fix };
}
