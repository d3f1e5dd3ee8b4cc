import { page } from './page';

describe('a page of the sandbox', () => {
  it('brings its icon along, so that no browser asks for one that is not there', () => {
    const [, encoded = ''] = /<link rel="icon" href="data:image\/svg\+xml,([^"<>]+)">/.exec(page('Title', '')) ?? [];
    expect(decodeURIComponent(encoded)).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*<\/svg>$/);
  });

  it('shows its title as text', () => {
    expect(page('<b>"A" & B</b>', '')).toContain('<title>&#60;b&#62;&#34;A&#34; &#38; B&#60;/b&#62;</title>');
  });
});
