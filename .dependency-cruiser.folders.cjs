/** No two folders need each other, directly or by way of a third; specs may reach further. */
const { options } = require('./.dependency-cruiser.cjs');

module.exports = {
  forbidden: [
    { name: 'no-cycles-between-folders', severity: 'error', scope: 'folder', from: {}, to: { circular: true } },
  ],
  options: {
    ...options,
    exclude: {
      path: ['\\.spec\\.ts$', '^(apps|sdk)/[^/]+/test/', '^tools/lint/fixtures/', '^sdk/[^/]+/dist/', '^node_modules/'],
    },
  },
};
