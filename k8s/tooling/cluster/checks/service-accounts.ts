import { CheckResult } from '../../checks/check-list';
import { ofKind } from '../../checks/overlays';
import { Cluster } from '../cluster';
import { RenderedRelease } from '../releases';

/** No service account has more rights than a new account without grants. */
export async function serviceAccounts(cluster: Cluster, release: RenderedRelease): Promise<CheckResult> {
  const usual = new Set(await rights(cluster, await freshAccount(cluster)));
  const accounts = ofKind(release, 'ServiceAccount').map(({ metadata }) => metadata.name);
  const problems: string[] = usual.size === 0 ? ['kubectl auth can-i --list says nothing about a new account'] : [];
  for (const name of accounts) {
    const own = await rights(cluster, { namespace: release.namespace, name });
    problems.push(...own.filter((line) => !usual.has(line)).map((line) => `${name} has a further right: ${line}`));
    if (own.length === 0) problems.push(`kubectl auth can-i --list says nothing about ${name}`);
  }
  return { detail: `${accounts.length} accounts, no right beyond those of a new account`, problems };
}

interface Account {
  readonly namespace: string;
  readonly name: string;
}

async function freshAccount({ api }: Cluster): Promise<Account> {
  const account = { namespace: 'default', name: 'fresh' };
  await api.post(`/api/v1/namespaces/${account.namespace}/serviceaccounts`, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: account,
  });
  return account;
}

/** Rights of an account in its namespace, one per line, read with its own token. */
async function rights(cluster: Cluster, { namespace, name }: Account): Promise<string[]> {
  const token = await cluster.kubectl('-n', namespace, 'create', 'token', name);
  if (token.code !== 0) return [token.output.trim()];
  const { output } = await cluster.kubectl('-n', namespace, '--token', token.output.trim(), 'auth', 'can-i', '--list');
  return output.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('Resources'));
}
