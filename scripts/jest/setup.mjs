// Before a run of Jest: a name and a folder for what its tests leave behind, and a small demo: the
// usual one takes half a minute of the processor in each service that is started with it.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default function setup() {
  process.env.DEMO_MEMBERS ??= '5';
  process.env.TEST_RUN = `care_test_${process.pid}`;
  process.env.TEST_RUN_DIR = mkdtempSync(join(tmpdir(), 'care-test-'));
}
