import { freshName } from '@podium/testing';
import { requireDocumented } from '@podium/testing/documented-answers';
import { RunningLinkage } from './running-linkage';

/** A response with its body as text and as JSON. */
export interface AdminAnswer {
  readonly status: number;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

/** Calls /admin/v1 as one operator, with the headers that the gateway adds. */
export interface AdminClient {
  get(path: string): Promise<AdminAnswer>;
  post(path: string, body?: unknown): Promise<AdminAnswer>;
  patch(path: string, body: unknown): Promise<AdminAnswer>;
}

/** A client for an operator with these roles. */
export async function adminClient(linkage: RunningLinkage, roles: Record<string, string>): Promise<AdminClient> {
  const token = await linkage.operatorToken(roles);
  const call = async (method: string, path: string, body?: unknown): Promise<AdminAnswer> => {
    const url = `/admin/v1${path}`;
    const response = await fetch(linkage.url + url, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'x-podium-internal-token': linkage.internalToken,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    requireDocumented({ method, url, status: response.status, text });
    return { status: response.status, text, json: JSON.parse(text) as Record<string, unknown> };
  };
  return {
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    patch: (path, body) => call('PATCH', path, body),
  };
}

/** Creates an integration with a partner, on a platform of its own; `fields` replace the default ones. */
export async function createIntegration(
  admin: AdminClient,
  partner: { readonly baseUrl: string; readonly clientId: string; readonly clientSecret: string },
  fields: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly integrationId: string; readonly platform: string }> {
  const platform = freshName('p');
  const { status, json } = await admin.post('/integrations', {
    ...{ platform, partner: platform, organizer_id: 'organizer-1', display_name: 'Arena' },
    ...{ authorization_url: `${partner.baseUrl}/authorize`, base_url: partner.baseUrl },
    ...{ client_id: partner.clientId, client_secret: partner.clientSecret },
    ...fields,
  });
  expect(status).toBe(201);
  return { integrationId: json.integration_id as string, platform };
}
