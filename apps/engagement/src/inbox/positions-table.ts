/** Next offsets of this service's consumers, written in the transaction of the records' effects. */
export const positionsTable = 'engagement.positions';
