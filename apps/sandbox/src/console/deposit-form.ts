/** A deposit as it was typed, or a bet. */
export interface DepositForm {
  /** `bet`; missing for a deposit. */
  readonly event?: string;
  readonly account?: string;
  readonly amount?: string;
}

/** The format of amounts in the demo's contract: decimal, with a point. */
export const amountPattern = String.raw`\d{1,9}(\.\d{1,2})?`;

/** The format of an amount, as a message. */
export const amountRule = 'Enter an amount such as 25 or 25.00, with at most two decimals and no currency.';

/** The problem of a deposit, as a message for the person who typed it; null if it is valid. */
export function depositFault(
  { account, amount }: DepositForm,
  accounts: Readonly<Record<string, unknown>>,
): string | null {
  if (account === undefined || !Object.hasOwn(accounts, account)) return 'Choose an account from the list.';
  if (amount === undefined || !new RegExp(`^${amountPattern}$`).test(amount.trim())) return amountRule;
  return Number(amount) > 0 ? null : 'Enter an amount above zero.';
}
