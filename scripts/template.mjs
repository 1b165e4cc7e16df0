// Makes the empty, migrated database that an embedded one is copied from, while the service is bundled.
import { template, whyNotKept } from '../dist/platform/database/template.js';

await template();
const reason = whyNotKept();
if (reason) process.stderr.write(`The empty database could not be kept.\n${reason}\n`);
process.exit(reason ? 1 : 0); // what has made it keeps timers
