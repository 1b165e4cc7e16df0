import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Lets requests go first, between two pieces of long work. The embedded database runs in this
 * process: without a pause between its statements no request is even read.
 */
export const giveWay = (): Promise<void> => sleep(20);
