import { batchFailureCause, failureKindOf } from './failure-kind';

const sql = (code: string): Error => Object.assign(new Error('refused'), { code });

describe('failureKindOf', () => {
  it.each(['22003', '22P05', '23505', '23514', '54000'])('takes %s for a fault of the data', (code) => {
    expect(failureKindOf(sql(code))).toBe('data');
  });

  it.each([
    ...[
      '08000',
      '08001',
      '08006',
      '57P01',
      '57P02',
      '57P03',
      '53100',
      '53300',
      '58030',
      '25006',
      '55000',
      '28P01',
      '3D000',
    ],
    ...['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENETDOWN', 'EAI_FAIL'],
    ...['EMFILE', 'EADDRNOTAVAIL', 'ENOBUFS'],
    ...['CERT_HAS_EXPIRED', 'SELF_SIGNED_CERT_IN_CHAIN', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('takes %s for an outage', (code) => {
    expect(failureKindOf(sql(code))).toBe('outage');
  });

  it.each(['Connection terminated unexpectedly', 'timeout exceeded when trying to connect'])(
    'takes "%s" for an outage',
    (message) => {
      expect(failureKindOf(new Error(message))).toBe('outage');
    },
  );

  it.each(['57014', '55P03', '53200', '53400', '40001', '40P01', '08P01', 'XX000', '54001', '54023', '42501'])(
    'has less tried at once after %s',
    (code) => {
      expect(failureKindOf(sql(code))).toBe('size');
    },
  );

  it('treats TypeErrors and RangeErrors of this code as data errors, and unknown errors as size errors', () => {
    expect(failureKindOf(new RangeError('Invalid time value'))).toBe('data');
    expect(failureKindOf(new TypeError('not a string'))).toBe('data');
    expect(failureKindOf(new Error('Query read timeout'))).toBe('size');
    expect(failureKindOf(new Error('Cannot create a string longer than 0x1fffffe8 characters'))).toBe('size');
    expect(failureKindOf(undefined)).toBe('size');
  });
});

describe('batchFailureCause', () => {
  it('is size unless the server is away', () => {
    expect(['08006', '57014', '23505'].map((code) => batchFailureCause(sql(code)))).toEqual(['other', 'size', 'size']);
  });
});
