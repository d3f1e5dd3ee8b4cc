/** The schema that linkage owns. */
export const schema = 'linkage';
