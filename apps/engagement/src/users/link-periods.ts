import { LinkPeriod } from '../evaluation/history';
import { compareUtf8 } from '../evaluation/utf8-order';

/** A link of a user as it was recorded; times are Unix seconds. */
export interface RecordedPeriod extends LinkPeriod {
  readonly platform: string;
  readonly userId: string;
  /** Of the record that it is from. */
  readonly revision: number;
}

/** The newest state of an account in the view of links. */
export interface ViewedLink extends Omit<RecordedPeriod, 'unlinkedAt'> {
  readonly state: string;
}

/**
 * The links of one user, ordered by `linkedAt`, then by account, byte for byte. `links` are those of the user in the view, `moved`
 * those of accounts that they had and others have. A change that the release before wrote to the view alone counts too; an
 * unlinking of that kind has no known time, so that the period is empty: nothing may be paid to an account after its user unlinked
 * it.
 */
export function linkPeriodsOf(
  periods: readonly RecordedPeriod[],
  links: readonly ViewedLink[],
  moved: readonly ViewedLink[],
): LinkPeriod[] {
  const viewed = new Map([...moved, ...links].map((link) => [accountKey(link), link]));
  const recorded = new Set<string>();
  const found = periods.map((period): LinkPeriod => {
    const { linkedAt, account } = period;
    recorded.add(periodKey(period));
    return { linkedAt, unlinkedAt: endOf(period, viewed.get(accountKey(period))), account };
  });
  for (const link of links) {
    const { account, linkedAt, state } = link;
    if (!recorded.has(periodKey(link)))
      found.push({ linkedAt, unlinkedAt: state === 'unlinked' ? linkedAt : null, account });
  }
  if (found.length < 2) return found;
  return found.sort((a, b) => a.linkedAt - b.linkedAt || compareUtf8(a.account, b.account));
}

/** Unique, because the name of a platform has no space. */
export function accountKey({ platform, account }: Pick<RecordedPeriod, 'platform' | 'account'>): string {
  return `${platform} ${account}`;
}

function periodKey({ linkedAt, account }: LinkPeriod | ViewedLink): string {
  return `${linkedAt} ${account}`;
}

function endOf({ userId, linkedAt, unlinkedAt, revision }: RecordedPeriod, viewed?: ViewedLink): number | null {
  if (!viewed || viewed.revision <= revision || viewed.linkedAt < linkedAt) return unlinkedAt;
  if (viewed.userId !== userId || viewed.linkedAt !== linkedAt)
    return Math.min(unlinkedAt ?? Infinity, viewed.linkedAt);
  return viewed.state === 'unlinked' ? (unlinkedAt ?? linkedAt) : null;
}
