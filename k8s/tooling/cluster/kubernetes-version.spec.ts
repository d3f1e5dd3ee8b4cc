import * as fs from 'node:fs';
import * as path from 'node:path';
import { kubernetesVersions } from '../checks/core-schemas';
import { controlPlaneFolder, goVersion, modFiles, readVersion } from './kubernetes-version';
import { isAtLeast } from './required-tools';

describe('version of Kubernetes', () => {
  it('is the highest supported one, or the requested one', () => {
    expect(readVersion([])).toBe(kubernetesVersions.at(-1));
    expect(readVersion(['--kubernetes', '1.30'])).toBe('1.30');
    expect(readVersion(['--kubernetes=1.30'])).toBe('1.30');
  });

  it.each([[['--kubernetes']], [['--kubernetes', '1.29']], [['--version', '1.30']], [['--kubernetes', '1.30', 'x']]])(
    'is not read from %j',
    (args) => expect(() => readVersion(args)).toThrow('write --kubernetes with 1.30 or 1.36'),
  );

  it.each(kubernetesVersions)(
    '%s has a module that requires it and replaces its parts by the same release',
    (version) => {
      const text = fs.readFileSync(path.join(controlPlaneFolder, modFiles[version]), 'utf8');
      const [, patch] = new RegExp(`\\tk8s.io/kubernetes v${version}\\.(\\d+)`).exec(text) ?? [];
      const release = `v0.${version.split('.')[1]}.${patch}`;
      const replaced = [...text.matchAll(/^\t(k8s\.io\/[a-z-]+) => \1 (\S+)$/gm)].map(([, , own]) => own);
      expect(new Set(replaced)).toEqual(new Set([release]));
      expect(isAtLeast(goVersion, /^go (\S+)$/m.exec(text)?.[1] ?? '')).toBe(true);
    },
  );
});

describe('version of Go', () => {
  it.each([
    ['go1.26.8', '1.26.4', true],
    ['go1.26.4', '1.26.4', true],
    ['go1.27', '1.26.4', true],
    ['go2.0', '1.26.4', true],
    ['go1.26.3', '1.26.4', false],
    ['go1.25.9', '1.26', false],
    ['go1.9', '1.26', false],
    ['devel', '1.26', false],
  ])('%s is %s or newer: %s', (own, wanted, expected) => expect(isAtLeast(own, wanted)).toBe(expected));
});
