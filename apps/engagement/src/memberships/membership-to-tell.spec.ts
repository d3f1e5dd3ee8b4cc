import { LinkPeriod } from '../evaluation/history';
import { UserView } from '../evaluation/user-history';
import { membershipToTell } from './membership-to-tell';

const nowS = 500;
const first: LinkPeriod = { account: 'account-1', linkedAt: 10, unlinkedAt: null };
const second: LinkPeriod = { account: 'account-2', linkedAt: 200, unlinkedAt: null };
const told = { member: true, changedAt: 210, account: 'account-2' };

function toldBy(paused: boolean, ...links: readonly LinkPeriod[]) {
  return toldOf({ member: true, changedAt: 20 }, paused, ...links);
}

function toldOf(
  evaluated: { readonly member: boolean; readonly changedAt: number },
  paused: boolean,
  ...links: readonly LinkPeriod[]
) {
  return membershipToTell({ evaluated, paused, told, reason: 'event', view: new UserView(new Map(), links), nowS });
}

describe('a member who was told of with an account', () => {
  it.each([false, true])('is not told of again while a view lacks the link of that account, paused: %s', (paused) => {
    expect(toldBy(paused, first)).toBeNull();
    expect(toldBy(paused, first, second)).toBeNull();
  });

  it('is told of with the account that is linked later', () => {
    const third: LinkPeriod = { account: 'account-3', linkedAt: 300, unlinkedAt: null };
    expect(toldBy(false, first, second, third)).toMatchObject({ member: true, account: 'account-3', changedAt: 300 });
  });

  it('has left with that account while a view lacks its link', () => {
    const left = { member: false, account: 'account-2', changedAt: 250 };
    expect(toldOf({ member: false, changedAt: 250 }, false, first)).toMatchObject(left);
  });

  it.each([
    ['is linked', null],
    ['has been linked', 400],
  ])('has left with that account if another one, which does not enter, %s since', (_what, unlinkedAt) => {
    const ended = { ...second, unlinkedAt: 250 };
    const third: LinkPeriod = { account: 'account-3', linkedAt: 300, unlinkedAt };
    const left = { member: false, account: 'account-2', changedAt: 250 };
    expect(toldOf({ member: false, changedAt: 250 }, false, ended)).toMatchObject(left);
    expect(toldOf({ member: false, changedAt: 250 }, false, ended, third)).toMatchObject(left);
  });
});
