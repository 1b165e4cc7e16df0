// Makes the empty, migrated database that an embedded one is copied from, while the service is bundled.
import { template } from '../dist/platform/database/template.js';

await template();
process.exit(); // what has made it keeps timers
