import { axeFindings, colourRules } from '@podium/testing/axe-findings';
import { launchBrowser } from '@podium/testing/browser';
import { Browser } from 'playwright-core';
import { checkScripted } from '../../test/scripted-server';
import { htmlReport } from './html-report';

/** Folder for screenshots of the page, for manual review. */
const picturesFolder = process.env.PODIUM_PICTURES;

describe('the report of a check as a page', () => {
  let browser: Browser;
  let html: string;

  beforeAll(async () => {
    const { report } = await checkScripted({});
    const long = `https://shop.example/${'connected-account'.repeat(8)}`;
    const fingerprint = 'f'.repeat(64);
    html = htmlReport({
      ...{ ...report, base_url: long, redirect_uri: long },
      client_secrets: [{ which: 'current', fingerprint, outcome: 'accepted', used: true }],
      profile: { ...report.profile, revocation_url: { observed: true, value: long, how: 'metadata' } },
    });
    browser = await launchBrowser();
  }, 60_000);
  afterAll(() => browser?.close());

  it.each([
    [360, 'light'],
    [360, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const)('fits %s px, without a finding of axe: %s', async (width, colorScheme) => {
    const page = await (await browser.newContext({ viewport: { width, height: 800 }, colorScheme })).newPage();
    await page.setContent(html);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width);
    expect(await axeFindings(page, colorScheme === 'light' ? [] : colourRules)).toEqual([]);
    if (picturesFolder)
      await page.screenshot({ path: `${picturesFolder}/report-${width}-${colorScheme}.png`, fullPage: true });
    await page.context().close();
  });
});
