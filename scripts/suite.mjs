// Runs test files in this one process, which shares one service and one database among them: node
// scripts/suite.mjs FILE…
import { pathToFileURL } from 'node:url';

for (const file of process.argv.slice(2)) await import(pathToFileURL(file).href);
