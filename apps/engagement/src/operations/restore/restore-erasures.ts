/** Erases users by digest in engagement, as the consumer of erasures does; for a restore, while no service runs. */
export { EraseUsers } from '../../erasures/erase-users';
