// npm run shadow -- --original URL --ours URL: answers from the original, asks this service the same, and
// writes in what they differ: see docs/shadow.md. Ends at SIGINT or SIGTERM.
import { renameSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { shadowProxy } from './shadow/proxy.mjs';
import { ShadowReport } from './shadow/report.mjs';

const USAGE = `Usage: npm run shadow -- --original URL --ours URL [--writes] [--site URL] [--host ADDRESS] [--port NUMBER] [--report FILE]
  --original  where the original answers
  --ours      where this service answers
  --writes    sends to this service, which is a copy, also what changes something
  --site      the address that the original writes into its answers; that of --original unless given
  --host, --port  where the proxy listens: 127.0.0.1 and 8080 unless given
  --report    the file of the report: shadow.json unless given`;
/** The report is written at most so often, in milliseconds. */
const PAUSE = 10_000;

const { original, ours, site, writes, host, port, report: file } = readOptions();
const report = new ShadowReport();
const server = shadowProxy({ original, ours, site, report, writes });
server.listen(Number(port), host, () =>
  console.log(`http://${host}:${server.address().port} answers from ${original}`),
);
server.on('error', (error) => stop(`The proxy cannot listen: ${error.message}`));
const writing = setInterval(write, PAUSE);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, end);

function end() {
  clearInterval(writing);
  server.close();
  server.closeAllConnections();
  write();
  console.log(report.line());
}

/** Replaces the report: a reader never sees half of one. */
function write() {
  try {
    writeFileSync(`${file}.new`, `${JSON.stringify(report, undefined, 2)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (error) {
    console.error(`The report was not written: ${error.message}`);
  }
}

function readOptions() {
  const text = { type: 'string' };
  const flag = { type: 'boolean', default: false };
  const named = { original: text, ours: text, site: text, host: text, port: text, report: text };
  const options = { ...named, writes: flag };
  let values;
  try {
    ({ values } = parseArgs({ options }));
  } catch (error) {
    stop(`${error.message}\n${USAGE}`);
  }
  if (!values.original || !values.ours) stop(USAGE);
  const given = { site: values.original, host: '127.0.0.1', port: '8080', report: 'shadow.json' };
  const { original, ours, site, ...others } = { ...given, ...values };
  return { original: base(original), ours: base(ours), site: base(site), ...others };
}

/** Returns an address without a slash at its end. */
function base(address) {
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) stop(`${address} is no address.`);
  return address.replace(/\/+$/, '');
}

function stop(message) {
  console.error(message);
  process.exit(2);
}
