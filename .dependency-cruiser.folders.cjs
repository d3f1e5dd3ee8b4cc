/** No two folders of an app need each other, directly or by way of a third; specs may reach anywhere within their app. */
const { options } = require('./.dependency-cruiser.cjs');

module.exports = {
  forbidden: [
    { name: 'no-cycles-between-folders', severity: 'error', scope: 'folder', from: {}, to: { circular: true } },
  ],
  options: { ...options, exclude: { path: ['\\.spec\\.ts$', '^apps/[^/]+/test/', '^node_modules/'] } },
};
