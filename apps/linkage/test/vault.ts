/** The vault and its sealed columns, for specs of rotations. */
export { secretLocations } from '../src/vault/secret-locations';
export { Vault } from '../src/vault/vault';
