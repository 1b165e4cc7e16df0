import cluster from 'node:cluster';
import { registry } from '../metrics/metrics.js';
import { Channel, type ChannelEnd } from './channel.js';

/** Returns the channel to the first process; undefined where WORKERS is 1. Call it once. */
export function channelToPrimary(): Channel | undefined {
  if (!cluster.isWorker) return undefined;
  return new Channel(process as ChannelEnd, {
    alive: () => true,
    metrics: () => registry.getMetricsAsJSON(),
  });
}
