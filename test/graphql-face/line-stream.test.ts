import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { LineStream, takeForLines } from '../../src/graphql/line-stream.js';
import { makeCrowd } from '../domains/reports/crowd.js';
import { useService } from '../support/harness.js';

const service = useService();
const DAYS = `{
  doseReport(from: "2026-01-01", to: "2027-03-31", first: 1000) {
    rows { day language scheduled taken missed skipped asNeeded adherenceRate margin members }
    suppressed
  }
}`;
const asked = (query: string, accept: string, headers = {}) =>
  service().fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...headers },
    body: JSON.stringify({ query }),
  });
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('An answer as lines', () => {
  it('is one line when it is small, with the status that it has without', async () => {
    const { status, headers, text } = await asked('{ __typename }', 'application/x-ndjson');
    expect([status, headers.get('content-type')]).toStrictEqual([
      200,
      'application/x-ndjson; charset=utf-8',
    ]);
    expect(linesOf(text)).toStrictEqual([{ data: { __typename: 'Query' } }]);
    expect((await asked('{ nothing }', 'application/x-ndjson')).status).toBe(400);
  });

  it('has the items of long lists in lines of 500, with how far it has come', async () => {
    const groups = [1, 2].map((language) => ({ members: 12, language, perDay: 1 }));
    await makeCrowd(service(), groups, 450);
    const headers = await service().authorization('analyst');
    const { body } = await asked(DAYS, 'application/json', headers);
    const { text } = await asked(DAYS, 'application/x-ndjson', headers);
    const [first, ...lines] = linesOf(text);
    expect(first).toStrictEqual({ data: { doseReport: { rows: [], suppressed: 0 } } });
    expect(lines.map(({ path, progress }) => path ?? progress)).toStrictEqual([
      ['doseReport', 'rows'],
      { rows: 500, of: 900 },
      ['doseReport', 'rows'],
      { rows: 900, of: 900 },
    ]);
    expect(lines.flatMap(({ items = [] }) => items)).toStrictEqual(body.data.doseReport.rows);
  });
});

describe('The lines of a large answer', () => {
  const ITEMS = 200_000;
  /** About 200 MB as JSON: far more than what sockets hold. */
  const TEXT = 'x'.repeat(1_000);

  /** Asks for the large answer. `made()` says of how many items JSON was made so far. */
  async function asking(): Promise<{
    readonly response: IncomingMessage;
    readonly made: () => number;
    readonly close: () => void;
  }> {
    let made = 0;
    const item = {
      toJSON: () => {
        made++;
        return TEXT;
      },
    };
    const server = createServer(async (request, response) => {
      const lines = LineStream.for(request, response, {});
      await lines?.run(async () => takeForLines({ data: { rows: new Array(ITEMS).fill(item) } }));
      lines?.send(200, {}, '');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const headers = { accept: 'application/x-ndjson' };
    const sent = request({ port, host: '127.0.0.1', method: 'POST', headers });
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const close = () => {
      response.destroy();
      server.close();
    };
    return { response, made: () => made, close };
  }

  /** Waits until no more JSON is made. Returns of how many items it was. */
  async function settled(made: () => number): Promise<number> {
    for (let before = -1; before !== made(); ) {
      before = made();
      await sleep(200);
    }
    return made();
  }

  it('are made at the pace of the reader, so that a slow one costs no memory', async () => {
    const { response, made, close } = await asking();
    await once(response, 'readable');
    const waiting = await settled(made);
    expect(waiting).toBeGreaterThan(0);
    expect(waiting).toBeLessThan(ITEMS / 4);
    let ends = 0;
    for await (const chunk of response) ends += String(chunk).split('\n').length - 1;
    expect(made()).toBe(ITEMS);
    expect(ends).toBe(1 + (2 * ITEMS) / 500);
    close();
  });

  it('are not made any more when the reader is gone', async () => {
    const { response, made, close } = await asking();
    await once(response, 'readable');
    close();
    const first = await settled(made);
    expect(first).toBeLessThan(ITEMS / 4);
    await sleep(300);
    expect(made()).toBe(first);
  });
});
