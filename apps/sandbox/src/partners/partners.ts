import { randomBytes } from 'node:crypto';
import { Account } from '@podium/simulated-partner';
import { JsonFile } from '../storage/json-file';
import { Partner, newPartner } from './partner';

const namePattern = /^[a-z0-9][a-z0-9_-]{0,62}$/;

/** All sandbox partners. Each is independent of the others, and created at its first use. */
export class Partners {
  constructor(private readonly file: JsonFile<Record<string, Partner>>) {}

  all(): Partner[] {
    return Object.values(this.file.value);
  }

  /** The partner of that name; throws for an invalid name. */
  of(name: string): Partner {
    if (!namePattern.test(name)) throw new RangeError(`${name} is not a valid partner name`);
    // Not `constructor`, which every object has.
    if (Object.hasOwn(this.file.value, name)) return this.file.value[name];
    const partner = newPartner(name);
    this.file.value[name] = partner;
    this.changed();
    return partner;
  }

  /** The account with that nickname, created when it first logs in. */
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
