import type { Route } from '../router.js';

export const accounts: readonly Route[] = [
  { on: 'POST /v1/login', run: 'Login' },
  { on: 'POST /v1/signup', run: 'SignUp', status: 201 },
  { on: 'POST /v1/guest', run: 'Guest', status: 201, edition: 'B' },
  { on: 'GET /v1/refreshToken', run: 'RefreshToken' },
];
