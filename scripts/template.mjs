// Makes the empty, migrated database that an embedded one is copied from, while the service is bundled.
import { isTemplateKept, template } from '../dist/platform/database/template.js';

await template();
if (!isTemplateKept()) process.stderr.write('The empty database could not be kept in .cache.\n');
process.exit(isTemplateKept() ? 0 : 1); // what has made it keeps timers
