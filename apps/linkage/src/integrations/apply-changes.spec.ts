import { fixed } from '@podium/runtime/config';
import { vaultKey } from '../../test/spec-keys';
import { secretLocations } from '../vault/secret-locations';
import { Integration } from '../entities/integration.entity';
import { Vault } from '../vault/vault';
import { applyChanges, defaultProfile } from './apply-changes';

const integrationId = '00000000-0000-4000-8000-000000000001';

describe('the client secret of an integration that was restored without it', () => {
  it.each([{}, { authorization_url: 'https://partner.example/other' }])('is entered with %j', (rest) => {
    const vault = new Vault(fixed([{ id: 'k1', key: vaultKey }]));
    const restored = Object.assign(new Integration(), {
      ...{ integrationId, clientId: 'podium', clientSecretEnc: '', previousClientSecretEnc: null },
      ...{ baseUrl: 'https://partner.example', authorizationUrl: 'https://partner.example/authorize' },
      profile: defaultProfile,
    });
    const parts = { vault, allowList: new Set<string>(), publicUrls: [], acceptsCurrent: false };
    const changed = applyChanges(restored, { client_secret: 'entered', ...rest }, parts);
    expect(changed).toMatchObject({ client_secret: 'entered again after a restore' });
    expect(vault.open(restored.clientSecretEnc, secretLocations.clientSecret(integrationId))).toBe('entered');
    expect(restored.previousClientSecretEnc).toBeNull();
  });
});
