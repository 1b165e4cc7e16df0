import type { Route } from '../router.js';

export const content: readonly Route[] = [
  { on: 'GET /v1/posts', run: 'ListPosts', batch: true },
  { on: 'POST /v1/posts', run: 'CreatePost', batch: true, status: 201 },
  { on: 'GET /v1/posts/{id}', run: 'GetPost', batch: true },
  { on: 'POST|PUT|PATCH /v1/posts/{id}', run: 'UpdatePost', batch: true },
  { on: 'DELETE /v1/posts/{id}', run: 'DeletePost', batch: true },
  { on: 'GET /v1/pages', run: 'ListPages', batch: true },
  { on: 'POST /v1/pages', run: 'CreatePage', batch: true, status: 201 },
  { on: 'GET /v1/pages/{id}', run: 'GetPage', batch: true },
  { on: 'POST|PUT|PATCH /v1/pages/{id}', run: 'UpdatePage', batch: true },
  { on: 'DELETE /v1/pages/{id}', run: 'DeletePage', batch: true },
  { on: 'GET /v1/healthcare', run: 'ListHealthcareItems', edition: 'B', batch: true },
  { on: 'POST /v1/healthcare', run: 'CreateHealthcareItem', edition: 'B', batch: true, status: 201 },
  { on: 'GET /v1/healthcare/{id}', run: 'GetHealthcareItem', edition: 'B' },
  { on: 'POST|PUT|PATCH /v1/healthcare/{id}', run: 'UpdateHealthcareItem', edition: 'B', batch: true },
  { on: 'DELETE /v1/healthcare/{id}', run: 'DeleteHealthcareItem', edition: 'B', batch: true },
];
