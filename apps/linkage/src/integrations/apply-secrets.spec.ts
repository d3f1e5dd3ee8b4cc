import { fixed } from '@podium/runtime/config';
import { vaultKey } from '../../test/spec-keys';
import { Integration } from '../entities/integration.entity';
import { secretLocations } from '../vault/secret-locations';
import { Vault } from '../vault/vault';
import { applySecrets } from './apply-secrets';
import { UpdateIntegrationDto } from './integration.dto';

const integrationId = '00000000-0000-4000-8000-000000000001';
const place = secretLocations.clientSecret(integrationId);
const vault = new Vault(fixed([{ id: 'k1', key: vaultKey }]));

/** Both secrets after a change, and what the audit says of the first. */
function changed(
  [current, previous]: readonly [string, string | null],
  dto: Pick<UpdateIntegrationDto, 'client_secret' | 'previous_client_secret'>,
  acceptsCurrent: boolean,
): readonly [string, string | null, unknown] {
  const seal = (secret: string | null) => (secret === null ? null : vault.seal(secret, place));
  const integration = Object.assign(new Integration(), {
    ...{ integrationId, clientSecretEnc: seal(current), previousClientSecretEnc: seal(previous) },
  });
  const { client_secret: said } = applySecrets(integration, dto, { vault, acceptsCurrent, secretForOrigin: undefined });
  const { clientSecretEnc, previousClientSecretEnc } = integration;
  return [
    vault.open(clientSecretEnc, place),
    previousClientSecretEnc === null ? null : vault.open(previousClientSecretEnc, place),
    said,
  ];
}

describe('a new client secret', () => {
  it.each([true, false])('keeps the only one before it (accepted: %j)', (accepted) => {
    const expected = ['new', 'old', 'replaced; the former one stays valid for the rotation'];
    expect(changed(['old', null], { client_secret: 'new' }, accepted)).toEqual(expected);
  });

  it('keeps the current one of two that the partner accepted last', () => {
    const expected = ['new', 'old', expect.stringMatching(/^replaced; the former one, which the partner accepted/)];
    expect(changed(['old', 'oldest'], { client_secret: 'new' }, true)).toEqual(expected);
  });

  it('replaces a mistyped one alone', () => {
    const expected = ['new', 'accepted', expect.stringMatching(/^replaced; .* so the previous one stays valid/)];
    expect(changed(['mistyped', 'accepted'], { client_secret: 'new' }, false)).toEqual(expected);
  });

  it.each([true, false])('that is the previous one takes the place of the current one (accepted: %j)', (accepted) => {
    const expected = ['old', 'new', expect.stringMatching(/^exchanged/)];
    expect(changed(['new', 'old'], { client_secret: 'old' }, accepted)).toEqual(expected);
  });

  it('that is the current one changes nothing', () => {
    expect(changed(['new', 'old'], { client_secret: 'new' }, false)).toEqual(['new', 'old', undefined]);
  });

  it('comes alone or with another one when the request says so', () => {
    expect(changed(['a', 'b'], { client_secret: 'c', previous_client_secret: null }, true).slice(0, 2)).toEqual([
      'c',
      null,
    ]);
    expect(changed(['a', 'b'], { client_secret: 'c', previous_client_secret: 'd' }, false).slice(0, 2)).toEqual([
      'c',
      'd',
    ]);
  });
});
