// Runs test files in this one process, in which they share one service and one database: node
// scripts/suite.mjs FILE…
import { pathToFileURL } from 'node:url';

for (const file of process.argv.slice(2)) await import(pathToFileURL(file).href);
