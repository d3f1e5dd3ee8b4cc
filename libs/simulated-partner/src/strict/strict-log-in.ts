const hopsMax = 8;

/** The address and the cookies of a browser that logs in. */
interface Visit {
  address: string;
  readonly cookies: Map<string, string>;
}

/**
 * Logs in at a strict partner as a browser does: follows its redirects with cookies and submits its log-in page with the
 * account. Returns the service's redirect URL with its parameters.
 */
export async function logInAtStrictPartner(
  authorizationUrl: string,
  redirectUrl: string,
  account: string,
): Promise<string> {
  const visit: Visit = { address: authorizationUrl, cookies: new Map() };
  let form: URLSearchParams | undefined;
  for (let hop = 0; hop < hopsMax; hop++) {
    const answer = await request(visit, form);
    const location = answer.headers.get('location');
    form = undefined;
    if (location !== null) {
      visit.address = new URL(location, visit.address).href;
      if (visit.address.startsWith(redirectUrl)) return visit.address;
    } else if (answer.ok) form = new URLSearchParams({ login: account });
    else throw new Error(`the log-in failed: ${answer.status} ${(await answer.text()).slice(0, 500)}`);
  }
  throw new Error('the log-in did not come back to the service');
}

async function request({ address, cookies }: Visit, form: URLSearchParams | undefined): Promise<Response> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const answer = await fetch(address, {
    ...{ method: form ? 'POST' : 'GET', body: form, redirect: 'manual', headers: { cookie } },
  });
  for (const line of answer.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  }
  return answer;
}
