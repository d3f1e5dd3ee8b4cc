import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DocsSite } from './docs-site';

describe('the built documentation site', () => {
  const docsDir = mkdtempSync(join(tmpdir(), 'built-site-'));
  const built = join(docsDir, 'site/.vitepress/dist');
  mkdirSync(join(built, 'assets'), { recursive: true });
  const script = "go('https://address.podium.invalid', 'environmentpodium')";
  writeFileSync(join(built, 'index.html'), `<script>${script}</script><script src="/docs/x.js"></script><p>Guide`);
  writeFileSync(join(built, 'errors.html'), '<style>p{}</style><p id="rate_limited">');
  writeFileSync(join(built, 'assets/x.js'), script);
  writeFileSync(join(built, '404.html'), '');
  writeFileSync(join(built, 'hashmap.json'), '{"errors.md":"9s2nOg8N"}');
  const site = (publicUrl: string): DocsSite => new DocsSite({ docsDir, publicUrl, environment: 'test' });
  const hash = (text: string): string => createHash('sha256').update(text).digest('base64');

  it('shows address and environment, and allows scripts by the hash of what is then there', () => {
    const page = site('https://events.example').page('/docs/');
    const filled = "go('https://events.example', 'test')";
    expect(page?.body.toString()).toContain(`<script>${filled}</script>`);
    const policy = page?.headers['content-security-policy'];
    expect(policy).toContain(`script-src 'self' 'sha256-${hash(filled)}';`);
    expect(policy).not.toContain('unsafe');
    expect(site('https://events.example').page('/docs/assets/x.js')?.body.toString()).toBe(filled);
    const errors = site('https://events.example').page('/docs/errors');
    expect(errors?.headers['content-security-policy']).toContain(`style-src 'self' 'sha256-${hash('p{}')}'`);
  });

  it('lets no address end a string of a script', () => {
    const body = site("https://a.example/'</script>").page('/docs/assets/x.js')?.body.toString();
    expect(body).toBe("go('https://a.example/%27%3c/script%3e', 'test')");
  });

  it('redirects a slash too many or too few, and serves nothing else', () => {
    const pages = site('https://events.example');
    expect(pages.page('/docs')).toMatchObject({ status: 308, headers: { location: '/docs/' } });
    expect(pages.page('/docs/errors/')).toMatchObject({ status: 308, headers: { location: '/docs/errors' } });
    for (const path of ['/docs/404', '/docs/404.html', '/docs/index.html', '/docs/../errors'])
      expect(pages.page(path)).toBeUndefined();
  });

  it('serves the names of the files of pages to tabs that a release has outdated, never from a cache', () => {
    expect(site('https://events.example').page('/docs/hashmap.json')).toMatchObject({
      status: 200,
      body: Buffer.from('{"errors.md":"9s2nOg8N"}'),
      headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' },
    });
    const page = site('https://events.example').page('/docs/errors');
    expect(page?.headers['cache-control']).toBe('public, max-age=300');
  });

  it('says how to build it where it is missing, and nothing else in its place', () => {
    const folder = mkdtempSync(join(tmpdir(), 'no-site-'));
    const pages = new DocsSite({ docsDir: folder, publicUrl: 'https://events.example', environment: 'test' });
    expect([pages.isBuilt, site('https://events.example').isBuilt]).toEqual([false, true]);
    expect(pages.page('/docs/')).toMatchObject({ status: 503, headers: { 'cache-control': 'no-store' } });
    expect(pages.page('/docs/')?.body.toString()).toContain('npx vitepress build docs/site');
    expect(pages.page('/docs/errors')).toBeUndefined();
  });

  it('ends the start at a file whose type it does not know', () => {
    writeFileSync(join(built, 'x.exe'), '');
    expect(() => site('https://events.example')).toThrow('/x.exe');
  });
});
