/** The codings that change the bytes of a body (RFC 9110 8.4.1, RFC 7932, RFC 8878). */
const compressing = /^(x-)?(gzip|compress|deflate|br|zstd)$/i;

/**
 * Whether a body is compressed by its header Content-Encoding. Some servers write there what is no coding, as the charset `UTF-8` or
 * `none`: as in browsers, that says nothing of the body.
 */
export function isCompressed(contentEncoding: string | readonly string[] | undefined): boolean {
  return [contentEncoding ?? '']
    .flat()
    .join(',')
    .split(',')
    .some((coding) => compressing.test(coding.trim()));
}
