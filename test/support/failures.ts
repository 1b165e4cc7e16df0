import { makeLog } from '../../src/platform/log.js';
import { registry } from '../../src/platform/metrics/metrics.js';

/**
 * Collects what a job logs about rows that it passes over, and how many of them the metrics count,
 * since the last call of `begin`.
 */
export class Failures {
  text = '';
  readonly log = makeLog('error', { write: (line) => (this.text += line) });
  #before = 0;

  constructor(private readonly job: string) {}

  async begin(): Promise<void> {
    this.text = '';
    this.#before = await this.#count();
  }

  /** Returns the ids of the rows, in the order in which they were logged. */
  ids(): number[] {
    const lines = this.text.split('\n').filter(Boolean);
    return lines
      .map((line) => JSON.parse(line))
      .flatMap(({ job, id }) => (job === this.job && id !== undefined ? [id] : []));
  }

  async counted(): Promise<number> {
    return (await this.#count()) - this.#before;
  }

  async #count(): Promise<number> {
    const name = `care_jobs_passed_over_total{job="${this.job}"} `;
    const line = (await registry.metrics()).split('\n').find((text) => text.startsWith(name));
    return Number(line?.slice(name.length) ?? 0);
  }
}
