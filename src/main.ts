import { hearSignals } from './process/shutdown.js';

/**
 * Signals are heard before the service is loaded, which takes a second or more: process 1 would not
 * hear what came meanwhile.
 */
const signals = hearSignals();
/** Resolves when the service answers. */
export const started = import('./process/process.js').then(({ main }) => main(signals));
