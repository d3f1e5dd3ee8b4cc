/**
 * The function `<schema>.identity_digest(scope, name)`: `identityDigest` of messages for two texts, as uuid. It finds a row
 * of which only the digest is known. It may be declared immutable because the encoding is always UTF-8.
 */
export function identityDigestFunctionSql(schema: string): string {
  return `
    CREATE FUNCTION "${schema.replaceAll('"', '""')}".identity_digest(scope text, name text) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN encode(substring(sha256(
      int4send(octet_length(scope)) || convert_to(scope, 'UTF8') || int4send(octet_length(name)) || convert_to(name, 'UTF8')
    ) FROM 1 FOR 16), 'hex')::uuid`;
}
