import { randomUUID } from 'node:crypto';
import { call } from '../../tools/seed/api';
import { LoadIdentity } from './link-user';

const mintedAtOnce = 8;

/** Users with tokens of the sandbox's identity provider, made between measurements. */
export class Identities {
  private readonly unused: LoadIdentity[] = [];

  constructor(private readonly sandboxUrl: string) {}

  /** So many users that have linked nothing. */
  async take(count: number): Promise<LoadIdentity[]> {
    const missing = Math.max(0, count - this.unused.length);
    for (let made = 0; made < missing; made += mintedAtOnce)
      this.unused.push(...(await Promise.all(Array.from({ length: mintedAtOnce }, () => this.mint()))));
    return this.unused.splice(0, count);
  }

  /** Those that were taken and have not been used. */
  giveBack(identities: readonly LoadIdentity[]): void {
    this.unused.push(...identities);
  }

  /** A token of an operator who may do everything. */
  operatorToken(): Promise<string> {
    return this.token({ sub: 'bench-operator', podium_roles: { '*': 'admin' } });
  }

  private async mint(): Promise<LoadIdentity> {
    const sub = randomUUID();
    return { sub, token: await this.token({ sub }) };
  }

  private async token(claims: object): Promise<string> {
    const { access_token } = await call<{ access_token: string }>('POST', `${this.sandboxUrl}/dev/tokens`, {
      body: claims,
    });
    return access_token;
  }
}
