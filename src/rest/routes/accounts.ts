import type { Route } from '../router.js';

export const accounts: readonly Route[] = [{ on: 'POST /v1/login', run: 'Login' }];
