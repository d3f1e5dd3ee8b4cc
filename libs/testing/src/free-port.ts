export { freePort } from '../../../tools/stack/ports';
