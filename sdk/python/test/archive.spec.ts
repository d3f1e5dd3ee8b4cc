import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const sdk = path.resolve(__dirname, '..');

/** Python without packages, network and settings of this machine. */
const offline = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  PIP_NO_INDEX: '1',
  PIP_CONFIG_FILE: os.devNull,
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
};

const program = `
from podium_partner import PodiumClient, PodiumError, PartnerEvent, __version__
with PodiumClient(url="http://127.0.0.1:9", api_key="k", platform="p", timeout_s=0.5) as client:
    try:
        client.send(PartnerEvent("e", "u", "n", 1))
    except PodiumError as error:
        print(__version__, error.code)
`;

describe('the archives of the SDK for Python', () => {
  let folder: string;
  let wheel: string;
  let source: string;
  let python: string;

  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sdk-python-'));
    const { stdout } = await run('python3', ['-B', path.join(sdk, 'build/wheel_backend.py'), folder]);
    [wheel, source] = stdout.trim().split('\n');
    await run('python3', ['-m', 'venv', path.join(folder, 'venv')], { env: offline });
    python = path.join(folder, 'venv/bin/python');
    await run(python, ['-m', 'pip', 'install', `./${wheel}`], { cwd: folder, env: offline });
  }, 120_000);
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('installs into an empty environment without network, and works in the version of its name', async () => {
    const { stdout } = await run(python, ['-c', program], { cwd: folder, env: offline });
    const [version, code] = stdout.trim().split(' ');
    expect(code).toBe('no_response');
    expect(wheel).toBe(`podium_partner-${version}-py3-none-any.whl`);
    expect(source).toBe(`podium_partner-${version}.tar.gz`);
  });

  it('has the package with its types, README and licence, and nothing else', async () => {
    const { stdout } = await run(python, ['-m', 'zipfile', '-l', wheel], { cwd: folder });
    const names = stdout
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(/\s+/)[0]);
    const others = names.filter((name) => !/^podium_partner\/(generated\/)?\w+\.py$/.test(name));
    const info = path.basename(wheel, '-py3-none-any.whl') + '.dist-info';
    const expected = ['METADATA', 'RECORD', 'WHEEL', 'licenses/LICENSE'].map((name) => `${info}/${name}`);
    expect(others.sort()).toEqual([...expected, 'podium_partner/py.typed'].sort());
    expect(names.length).toBeGreaterThan(25);
    const metadata = await run(python, ['-m', 'pip', 'show', '-f', 'podium-partner'], { env: offline });
    expect(metadata.stdout).toContain('Requires: \n');
  });

  it('imports nothing but the standard library', async () => {
    const listing = `import ast, pathlib, sys
names = set()
for path in pathlib.Path(sys.argv[1]).rglob("*.py"):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import): names |= {alias.name.split(".")[0] for alias in node.names}
        if isinstance(node, ast.ImportFrom) and node.level == 0: names.add(node.module.split(".")[0])
print(sorted(names - sys.stdlib_module_names))`;
    const { stdout } = await run(python, ['-c', listing, path.join(sdk, 'src')], { env: offline });
    expect(stdout.trim()).toBe('[]');
  });

  it('builds the same wheel from the source archive, as a package manager does', async () => {
    await run('tar', ['xzf', source], { cwd: folder });
    const unpacked = path.join(folder, path.basename(source, '.tar.gz'));
    const out = path.join(folder, 'from-source');
    await run(python, ['-m', 'pip', 'wheel', '--no-deps', '-w', out, unpacked], { env: offline });
    expect(fs.readFileSync(path.join(out, wheel)).equals(fs.readFileSync(path.join(folder, wheel)))).toBe(true);
  }, 60_000);
});
