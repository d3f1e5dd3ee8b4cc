import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { isCustom, validateCustom } from '../checks/custom-resource-schemas';
import { Overlay, manifestsFolder, parseOverlay, renderText } from '../checks/overlays';
import { edgeHosts } from './edge-hosts';

jest.setTimeout(60_000);

/** The edits of a change of the domain, as docs/operations/linking.md has them: file of the overlay, text, replacement. */
const edits = {
  component: ['kustomization.yaml', '  - ../../components/edge\n', '$&  - ../../components/further-host\n'],
  host: ['edge.yaml', '  host: podium.example\n', '$&  furtherHost: new.podium.example\n'],
  urls: ['deployment.env', 'PUBLIC_URL=https://podium.example\n', '$&FURTHER_PUBLIC_URLS=https://new.podium.example\n'],
} as const;

describe('hosts of the edge', () => {
  let folder: string;

  beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'podium-edge-'))));
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  async function production(...made: readonly (keyof typeof edits)[]): Promise<Overlay> {
    const copy = fs.mkdtempSync(path.join(folder, 'copy-'));
    for (const name of ['base', 'components', 'overlays'])
      fs.cpSync(path.join(manifestsFolder, name), path.join(copy, name), { recursive: true });
    const overlay = path.join(copy, 'overlays/production');
    for (const [name, text, replacement] of made.map((edit) => edits[edit])) {
      const file = path.join(overlay, name);
      const before = fs.readFileSync(file, 'utf8');
      fs.writeFileSync(file, before.replace(text, replacement));
      expect(fs.readFileSync(file, 'utf8')).not.toBe(before);
    }
    return parseOverlay('production', await renderText(overlay));
  }

  const problemsOf = async (...made: readonly (keyof typeof edits)[]) =>
    edgeHosts([await production(...made)]).problems;

  it('are those of the public URLs, during a change of the domain too', async () => {
    expect(edgeHosts([await production()])).toEqual({ detail: '1 host names', problems: [] });
    const changing = await production('component', 'host', 'urls');
    expect(edgeHosts([changing])).toEqual({ detail: '2 host names', problems: [] });
    const custom = changing.objects.filter(isCustom);
    expect(await validateCustom(custom)).toEqual([]);
  });

  it('are refused when only a part of the change was made', async () => {
    expect(await problemsOf('urls')).toEqual([
      'production: no HTTPS listener takes new.podium.example: use the component further-host for a second host',
      'production: no HTTP listener takes new.podium.example: use the component further-host for a second host',
      'production: no Probe asks new.podium.example',
    ]);
    expect(await problemsOf('component', 'host')).toEqual(
      ['https-further', 'http-further'].map(
        (name) => `production: the listener ${name} takes new.podium.example, which no public URL of the services has`,
      ),
    );
  });

  it('are refused without a route, a certificate or a probe for each', async () => {
    const changing = await production('component', 'host', 'urls');
    const without = (kind: string, name: string): Overlay => ({
      name: 'production',
      objects: changing.objects.filter((object) => object.kind !== kind || object.metadata.name !== name),
    });
    expect(edgeHosts([without('Certificate', 'podium-edge')]).problems).toEqual(
      ['https is not for podium.example', 'https-further is not for new.podium.example'].map(
        (problem) => `production: the certificate of the listener ${problem}`,
      ),
    );
    expect(edgeHosts([without('HTTPRoute', 'podium')]).problems).toEqual(
      ['podium.example from the listener https', 'new.podium.example from the listener https-further'].map(
        (route) => `production: no route takes ${route}`,
      ),
    );
    expect(edgeHosts([without('Probe', 'podium-edge')]).problems).toEqual(
      ['podium.example', 'new.podium.example'].map((host) => `production: no Probe asks ${host}`),
    );
  });
});
