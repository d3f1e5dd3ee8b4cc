import * as os from 'node:os';
import { ownName } from './own-name';

jest.mock('node:os', () => ({ ...jest.requireActual<typeof os>('node:os'), userInfo: jest.fn() }));

describe('who gave a command', () => {
  const userInfo = jest.mocked(os.userInfo);

  it('is the name that is given, else that of the user', () => {
    userInfo.mockReturnValue({ username: 'ada' } as os.UserInfo<string>);
    expect([ownName({ by: 'grace' }), ownName({})]).toEqual(['grace', 'ada']);
  });

  it.each(['', ' '])('is nobody by the name %j, as of a variable that is not set', (by) => {
    userInfo.mockReturnValue({ username: 'ada' } as os.UserInfo<string>);
    expect(() => ownName({ by })).toThrow('--by must be a name');
  });

  it('must be given where the user has no name', () => {
    userInfo.mockImplementation(() => {
      throw new Error('A system error occurred: uv_os_get_passwd returned ENOENT');
    });
    expect(ownName({ by: 'grace' })).toBe('grace');
    expect(() => ownName({})).toThrow('give yours by --by');
  });
});
