/** The icon in a browser's tab: a podium of three steps, as on the pages of /connect. */
export const faviconSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#4b3ee0"/><g fill="#fff"><rect x="6" y="15" width="6" height="10" rx="1.5"/><rect x="13" y="7" width="6" height="18" rx="1.5"/><rect x="20" y="18" width="6" height="7" rx="1.5"/></g></svg>';

/** The same as an ICO file of 32 x 32 pixels: browsers ask for /favicon.ico when a page, such as JSON, names no icon. */
export const faviconIco = Buffer.from(
  [
    'AAABAAEAICAAAAEAIADmAAAAFgAAAIlQTkcNChoKAAAADUlIRFIAAAAgAAAAIAgGAAAAc3p69AAAAK1JREFUeNpj8LZ7wICGDYB4',
    'PhDfB+L/VML3oWYaoNuHzBEA4n4qWooL90PtQnEASOA8HSyH4fMwR8Ac0E9Hy5FDggEW5/8HCBswQBPHQDlgPgOVUzvJuYOBHI1L',
    '5334jw5AYuSYRZYDcIFRB4w6YNQBVHUAvrxOFwfgs2TUAfjkSC2mqe4AUkNn1AGjDiCrICJXDpcDBrxJNuCN0gFvlg94x2RQdM0G',
    'vHM6YN1zAFqwrHd5ZtIQAAAAAElFTkSuQmCC',
  ].join(''),
  'base64',
);
