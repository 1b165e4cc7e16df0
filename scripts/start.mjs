// npm start: prepares what is missing, then runs the service in this process.
import { prepare } from './prepare.mjs';

prepare();
await import('../dist/main.js');
