import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { StackFolders } from './folders';
import { replaceFile } from './replace-file';
import { openSecrets } from './secrets';
import { readLock } from './session';

describe('files that a full disk or a power cut may meet', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'stack-files-'));
    file = path.join(folder, 'file.json');
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  it('are replaced as a whole, with their mode, and leave no draft', () => {
    fs.writeFileSync(file, 'old', { mode: 0o644 });
    const reader = fs.openSync(file, 'r');
    replaceFile(file, 'new', 0o600);
    // Who reads the file at that moment has all of the old content.
    expect(fs.readFileSync(reader, 'utf8')).toBe('old');
    fs.closeSync(reader);
    expect(fs.readFileSync(file, 'utf8')).toBe('new');
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.readdirSync(folder)).toEqual(['file.json']);
  });

  it('keep the old content when the new one cannot be written, and leave no draft', () => {
    fs.mkdirSync(file);
    expect(() => replaceFile(file, 'new')).toThrow();
    expect(fs.readdirSync(folder)).toEqual(['file.json']);
  });

  it.each(['', '{"pid":', 'null', '{}'])('hold no stack as running.json with the content "%s"', (content) => {
    fs.writeFileSync(file, content);
    expect(readLock(file)).toBeUndefined();
  });

  it('have secrets that stay, and are written only when one is missing', () => {
    const folders = { root: folder } as StackFolders;
    const secrets = path.join(folder, 'secrets.json');
    const made = openSecrets(folders);
    expect(fs.statSync(secrets).mode & 0o777).toBe(0o600);
    const { ino } = fs.statSync(secrets);
    const text = fs.readFileSync(secrets, 'utf8');
    expect(openSecrets(folders)).toEqual(made);
    expect(fs.statSync(secrets).ino).toBe(ino);

    const { sessionKeys, ...others } = made;
    fs.writeFileSync(secrets, JSON.stringify(others));
    const completed = openSecrets(folders);
    expect(completed).toEqual({ ...made, sessionKeys: completed.sessionKeys });
    expect(completed.sessionKeys).not.toBe(sessionKeys);
    expect(JSON.parse(fs.readFileSync(secrets, 'utf8'))).toEqual(completed);

    fs.writeFileSync(secrets, text.slice(0, 40));
    expect(() => openSecrets(folders)).toThrow(`${secrets} is damaged`);
    expect(fs.readFileSync(secrets, 'utf8')).toBe(text.slice(0, 40));
  });
});
