/** The packed histories of users, for specs that read the tables of a running service. */
export { unpackHistory } from '../src/history/history-codec';
