/** The version of this package; a spec compares it with package.json. */
export const sdkVersion = '0.3.14';
