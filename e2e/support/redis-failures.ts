/** The number of commands that Redis did not do in time for these instances since they started. */
export async function redisFailures(instances: readonly { readonly healthUrl: string }[]): Promise<number> {
  const pages = await Promise.all(instances.map(async ({ healthUrl }) => (await fetch(`${healthUrl}/metrics`)).text()));
  return pages.reduce((sum, page) => {
    const sample = /^redis_failures_total(?:\{[^}]*\})? (\d+)/m.exec(page);
    if (sample === null) throw new Error('an instance reports no redis_failures_total');
    return sum + Number(sample[1]);
  }, 0);
}
