// Preloaded into a process of the service: at SIGUSR2 it has the mistake that MISTAKE names.
import { DeliveryWorker } from '../../src/domains/notifications/delivery/delivery.worker.js';

const mistakes: Readonly<Record<string, () => void>> = {
  // A run of a job that never ends.
  hang: () => {
    DeliveryWorker.prototype.run = () => new Promise(() => {});
  },
  // An error that nothing catches.
  throw: () => {
    setImmediate(() => {
      throw new Error('a mistake in the service');
    });
  },
};

process.on('SIGUSR2', () => mistakes[process.env.MISTAKE ?? '']?.());
