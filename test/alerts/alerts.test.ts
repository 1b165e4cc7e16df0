import { Cluster } from '../faults/cluster.js';
import { adminUrl, withFolder, withServer } from '../faults/databases.js';
import { FAULTS, type Fault } from './faults.js';
import { hasPromtool, judged, type Recording } from './recording.js';
import { FIRES_BY, recorded, STRIKES } from './trial.js';

/** Services that are recorded at the same time. They mostly wait. */
const AT_ONCE = Number(process.env.ALERT_LANES ?? 4);
const asked = process.env.ALERT_FAULTS;
const faults = FAULTS.filter(({ name, inGate }) =>
  asked ? new RegExp(asked).test(name) : inGate || process.env.NIGHTLY,
);

/** Records a service that a fault befalls, on a database of its own. */
async function recordingOf(fault: Fault): Promise<Recording> {
  let recording: Recording | undefined;
  const record = async (url: string, cluster?: Cluster) => {
    recording = await recorded(url, {
      ...fault,
      strike: (trial) => fault.strike(trial, cluster),
    });
  };
  if (!fault.onCluster) await withServer((url) => record(url));
  else
    await withFolder(async (folder) => {
      const cluster = await Cluster.make(folder);
      await cluster.start();
      await record(cluster.url, cluster).finally(() => cluster.crash().catch(() => {}));
    });
  return recording as Recording;
}

/** Begins to record all faults, AT_ONCE at a time. */
function recordAll(): Map<Fault, Promise<Recording>> {
  const lanes: Promise<unknown>[] = Array.from({ length: AT_ONCE }, async () => {});
  const recordings = faults.map((fault, i) => {
    const lane = i % AT_ONCE;
    const recording = (lanes[lane] as Promise<unknown>).then(() => recordingOf(fault));
    lanes[lane] = recording.catch(() => {});
    return [fault, recording] as const;
  });
  return new Map(recordings);
}

describe('Prometheus with the rules of the service', () => {
  let recordings: ReadonlyMap<Fault, Promise<Recording>> = new Map();
  beforeAll(async () => {
    if (!adminUrl || !hasPromtool) return;
    recordings = recordAll();
    await Promise.allSettled(recordings.values());
  });

  for (const fault of faults) {
    const { name, alert } = fault;
    const title = `fires ${alert ?? 'nothing'}, and nothing else, when ${name}`;
    if (!adminUrl) test.skip(title, () => {});
    else if (!hasPromtool) test.skip(`${title} (promtool is not installed)`, () => {});
    else
      it(title, async () => {
        const recording = (await recordings.get(fault)) as Recording;
        const expected = { alert, silentUntil: STRIKES, firesBy: FIRES_BY };
        expect(await judged(recording, expected)).toBe('');
      });
  }
});
