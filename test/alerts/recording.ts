// What Prometheus would store of a service, and what its rules say to that.
import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../src/platform/root.js';
import { withFolder } from '../faults/databases.js';

/** Seconds between two scrapes, and between two evaluations of the rules. */
export const STEP = 15;
/** Milliseconds after which a scrape counts as failed, as by default in Prometheus. */
const SCRAPE_LIMIT = 10_000;

/** Whether promtool is installed. */
export const hasPromtool = (process.env.PATH ?? '')
  .split(delimiter)
  .some((folder) => existsSync(join(folder, 'promtool')));

const RULES = join(projectRoot, 'deploy/prometheus/rules.yaml');

/** The metrics of a service, scraped every STEP seconds. */
export class Recording {
  readonly #began = Date.now();
  readonly #up: number[] = [];
  readonly #series = new Map<string, (number | undefined)[]>();

  constructor(private readonly url: string) {}

  /** Adds a sample of each metric; none where the service does not answer. */
  async scrape(): Promise<void> {
    const at = this.#up.length;
    const lines = await this.#read();
    this.#up.push(lines ? 1 : 0);
    for (const line of lines ?? []) {
      const [, name, labels = '', value] = /^(care_\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (!name) continue;
      const series = `${name}{${[labels, 'job="care"', 'instance="a"'].filter(Boolean).join()}}`;
      const samples = this.#series.get(series) ?? [];
      samples[at] = name.endsWith('_timestamp_seconds')
        ? Number(value) - this.#began / 1_000
        : Number(value);
      this.#series.set(series, samples);
    }
  }

  async #read(): Promise<string[] | undefined> {
    try {
      const headers = { connection: 'close' };
      const signal = AbortSignal.timeout(SCRAPE_LIMIT);
      const response = await fetch(`${this.url}/metrics`, { headers, signal });
      return response.ok ? (await response.text()).split('\n') : undefined;
    } catch {
      return undefined;
    }
  }

  /** The series as promtool takes them: what is there no more is marked as stale, as Prometheus does. */
  series(): { series: string; values: string }[] {
    const count = this.#up.length;
    const recorded = [...this.#series].map(([series, samples]) => {
      const values = Array.from({ length: count }, (_, i) => {
        if (samples[i] !== undefined) return String(samples[i]);
        return samples[i - 1] === undefined ? '_' : 'stale';
      });
      return { series, values: values.join(' ') };
    });
    return [{ series: 'up{job="care",instance="a"}', values: this.#up.join(' ') }, ...recorded];
  }

  /** How many samples were taken. */
  get length(): number {
    return this.#up.length;
  }
}

/** When the rules must say what, in seconds from the first sample. */
export interface Expectation {
  /** The alert that must fire; none where nothing is wrong. */
  readonly alert: string | undefined;
  /** Until when it must not fire. */
  readonly silentUntil: number;
  /** When it must fire at the latest. */
  readonly firesBy: number;
}

/**
 * Evaluates the rules on what was recorded, by promtool. Returns what is not as expected, as promtool
 * says it; an empty text when all is.
 */
export function judged(recording: Recording, expected: Expectation): Promise<string> {
  const { alert = '', silentUntil, firesBy } = expected;
  const times = Array.from({ length: recording.length }, (_, i) => i * STEP);
  const firing = (matcher: string, at: number, names: readonly string[]) => ({
    expr: `group by (alertname) (ALERTS{alertstate="firing",alertname${matcher}})`,
    eval_time: `${at}s`,
    exp_samples: names.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
  });
  const own = (at: number, names: readonly string[]) => firing(`="${alert}"`, at, names);
  const test = {
    interval: `${STEP}s`,
    input_series: recording.series(),
    promql_expr_test: [
      ...times.map((at) => firing(`!="${alert}"`, at, [])),
      ...(alert ? times.filter((at) => at <= silentUntil).map((at) => own(at, [])) : []),
      ...(alert ? [own(firesBy, [alert])] : []),
    ],
  };
  return promtool(test);
}

/** Series as a test of promtool has them, and what expressions give by them. */
interface RuleTest {
  readonly interval: string;
  readonly input_series: readonly { readonly series: string; readonly values: string }[];
  readonly promql_expr_test: readonly object[];
}

/**
 * Evaluates expressions over given series and the rules, by promtool, whose files are YAML and so may be JSON.
 * Returns what failed.
 */
export async function promtool(test: RuleTest): Promise<string> {
  const file = { rule_files: [RULES], evaluation_interval: `${STEP}s`, tests: [test] };
  let printed = '';
  await withFolder(async (folder) => {
    const path = join(
      process.env.ALERT_RECORDINGS ?? folder,
      `${Date.now()}-${Math.random()}.json`,
    );
    writeFileSync(path, JSON.stringify(file));
    await promisify(execFile)('promtool', ['test', 'rules', path]).catch((error) => {
      printed = `${error.stdout}${error.stderr}` || String(error);
    });
  });
  return printed;
}
