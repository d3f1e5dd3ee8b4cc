import { randomBytes } from 'node:crypto';
import { JsonFile } from '../json-file';
import { Account, Partner, newPartner } from './partner';

const namePattern = /^[a-z0-9][a-z0-9_-]{0,62}$/;

/** All sandbox partners; each is a world of its own, made when it is first named. */
export class Partners {
  constructor(private readonly file: JsonFile<Record<string, Partner>>) {}

  all(): Partner[] {
    return Object.values(this.file.value);
  }

  /** The partner of that name; throws on a name that cannot be one. */
  of(name: string): Partner {
    if (!namePattern.test(name)) throw new RangeError(`${name} is no partner name`);
    const known = this.file.value[name];
    if (known) return known;
    const partner = newPartner(name);
    this.file.value[name] = partner;
    this.changed();
    return partner;
  }

  /** The account with that nickname, made when it first logs in. */
  account(partner: Partner, nickname: string): Account {
    const known = Object.values(partner.accounts).find((account) => account.nickname === nickname);
    if (known) return known;
    const account = { sub: `${partner.name}-${randomBytes(6).toString('hex')}`, nickname };
    partner.accounts[account.sub] = account;
    this.changed();
    return account;
  }

  changed(): void {
    this.file.changed();
  }

  write(): void {
    this.file.write();
  }
}
