/** For the operators' command line: applies erasures that a restored database lacks, as the service does when it starts. */
export { ReapplyErasures } from '../../erasures/reapply-erasures';
