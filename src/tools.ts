import { runNamedTool } from './process/tools.js';

/** Runs a command of operators where there is no npm, such as in the image. */
await runNamedTool(process.argv.slice(2));
