import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../src/app/app.js';
import { makeLog } from '../../src/platform/log.js';
import { makeListener } from '../../src/process/listener.js';
import { useService } from '../support/harness.js';

const PASSWORD = 'correct horse battery';

describe('The log of requests', () => {
  const service = useService();

  it('holds no token, password or code, wherever in a request it stood and whatever came of it', async () => {
    const lines: string[] = [];
    const log = makeLog('trace', { write: (line: string) => void lines.push(line) });
    const http = createServer();
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
      http.on(
        'request',
        (await makeListener(createApp({ ...service().app.deps, log }), http, url)).listener,
      );
      const email = 'mina@example.com';
      const json = { 'content-type': 'application/json' };
      const post = (path: string, body: object, headers = {}) =>
        fetch(url + path, {
          method: 'POST',
          headers: { ...json, ...headers },
          body: JSON.stringify(body),
        });
      const signup = await post('/api/v1/signup', { email, password: PASSWORD, language: 1 });
      const { token, refreshToken } = (await signup.json()) as Record<string, string>;
      const secrets = {
        refreshToken: `${refreshToken}`,
        token: `${token}`,
        password: PASSWORD,
        code: '48151623',
      };
      const query = new URLSearchParams(secrets).toString();
      for (const path of [
        '/api/v1/refreshToken',
        '/v3/api/v1/refreshToken',
        '/api/v1/posts',
        '/api/nowhere',
        '/nowhere',
        '/graphql',
      ])
        await fetch(`${url}${path}?${query}`, { headers: { authorization: `Bearer ${token}x` } });
      await post('/api/v1/login', { username: email, ...secrets });
      await post('/api/v1/login', { username: email, password: `${PASSWORD}\0` });
      await post('/api/v1/login', { username: email, password: [PASSWORD] });
      await post('/api/batch/v1', {
        requests: [{ path: `/v1/refreshToken?${query}`, body: secrets }],
      });
      const mutation =
        'mutation($input: RefreshTokenInput!) { refreshToken(input: $input) { nothing } }';
      await post(
        '/graphql',
        { query: mutation, variables: { input: { refreshToken } } },
        { 'refresh-token': refreshToken },
      );
      await post('/graphql', {
        query: `mutation { login(input: { username: "x", password: "${PASSWORD}" }) { token } }`,
      });
      await post('/graphql', {
        query: `mutation { login(input: { password: "${PASSWORD}\\u0000", username: "x" }) { token } }`,
      });
      const redeem = `mutation { signInWithCode(input: { email: "${email}", code: "${secrets.code}" }) { token } }`;
      await post('/graphql', { query: redeem, operationName: secrets.code });
      expect(lines.length, `${lines.length} lines`).toBeGreaterThan(12);
      const all = lines.join('');
      for (const [name, secret] of Object.entries(secrets)) {
        for (const spelled of [secret, encodeURIComponent(secret), secret.replaceAll(' ', '+')])
          expect(
            all,
            `${name} is in the log: ${lines.find((line) => line.includes(spelled))}`,
          ).not.toContain(spelled);
      }
      expect(all, 'nor an e-mail address').not.toContain(email);
    } finally {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    }
  });
});
