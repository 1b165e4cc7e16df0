// PostGraphile 4 over the benchmark's database: what GraphQL is measured beside. POSTGRAPHILE is
// the folder in which it is installed. As its documentation advises for production: no watching, no
// GraphiQL, no log of queries.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { DATABASE_URL, PORT, HOST = '127.0.0.1', POSTGRAPHILE } = process.env;
const require = createRequire(join(POSTGRAPHILE, 'package.json'));
const { postgraphile } = require('postgraphile');
const { Pool } = require('pg');

const pool = new Pool({
  connectionString: DATABASE_URL,
  options: '-c TimeZone=UTC',
  application_name: 'postgraphile',
  max: 10,
});
const handler = postgraphile(pool, 'public', {
  watchPg: false,
  graphiql: false,
  disableQueryLog: true,
  dynamicJson: true,
  setofFunctionsContainNulls: false,
});
// Its schema is made before the first request is measured.
await handler.getGraphQLSchema();
createServer(handler).listen(Number(PORT), HOST, () => process.send?.('ready'));

process.once('SIGTERM', () => process.exit(0));
