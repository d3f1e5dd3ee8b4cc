/** The vault and the columns that it seals, for specs of rotations. */
export { places } from '../src/vault/places';
export { Vault } from '../src/vault/vault';
