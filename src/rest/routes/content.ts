import type { Route } from '../router.js';

export const content: readonly Route[] = [
  { on: 'GET /v1/posts', run: 'ListPosts', batch: true },
  { on: 'POST /v1/posts', run: 'CreatePost', batch: true, status: 201 },
  { on: 'GET /v1/posts/{id}', run: 'GetPost', batch: true },
  { on: 'POST|PUT|PATCH /v1/posts/{id}', run: 'UpdatePost', batch: true },
  { on: 'DELETE /v1/posts/{id}', run: 'DeletePost', batch: true },
];
