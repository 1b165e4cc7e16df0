import type { Route } from '../router.js';

const post = { kind: 'post' } as const;
const page = { kind: 'page' } as const;

export const content: readonly Route[] = [
  { on: 'GET /v1/posts', run: 'ListPosts', batch: true, kept: true },
  { on: 'POST /v1/posts', run: 'CreatePost', batch: true, status: 201 },
  { on: 'GET /v1/posts/{id}', run: 'GetPost', batch: true, kept: true },
  { on: 'POST|PUT|PATCH /v1/posts/{id}', run: 'UpdatePost', batch: true },
  { on: 'DELETE /v1/posts/{id}', run: 'DeletePost', batch: true },
  { on: 'GET /v1/posts/{parent}/revisions', run: 'ListRevisions', fixed: post },
  { on: 'GET /v1/posts/{parent}/revisions/{id}', run: 'GetRevision', fixed: post },
  { on: 'DELETE /v1/posts/{parent}/revisions/{id}', run: 'DeleteRevision', fixed: post },
  { on: 'GET /v1/posts/{id}/autosaves', run: 'ListAutosaves', fixed: post },
  { on: 'POST /v1/posts/{id}/autosaves', run: 'AutosavePost' },
  { on: 'GET /v1/posts/{parent}/autosaves/{id}', run: 'GetAutosave', fixed: post },
  { on: 'GET /v1/pages', run: 'ListPages', batch: true, kept: true },
  { on: 'POST /v1/pages', run: 'CreatePage', batch: true, status: 201 },
  { on: 'GET /v1/pages/{id}', run: 'GetPage', batch: true, kept: true },
  { on: 'POST|PUT|PATCH /v1/pages/{id}', run: 'UpdatePage', batch: true },
  { on: 'DELETE /v1/pages/{id}', run: 'DeletePage', batch: true },
  { on: 'GET /v1/pages/{parent}/revisions', run: 'ListRevisions', fixed: page },
  { on: 'GET /v1/pages/{parent}/revisions/{id}', run: 'GetRevision', fixed: page },
  { on: 'DELETE /v1/pages/{parent}/revisions/{id}', run: 'DeleteRevision', fixed: page },
  { on: 'GET /v1/pages/{id}/autosaves', run: 'ListAutosaves', fixed: page },
  { on: 'POST /v1/pages/{id}/autosaves', run: 'AutosavePage' },
  { on: 'GET /v1/pages/{parent}/autosaves/{id}', run: 'GetAutosave', fixed: page },
  { on: 'GET /v1/healthcare', run: 'ListHealthcareItems', edition: 'B', batch: true, kept: true },
  {
    on: 'POST /v1/healthcare',
    run: 'CreateHealthcareItem',
    edition: 'B',
    batch: true,
    status: 201,
  },
  { on: 'GET /v1/healthcare/{id}', run: 'GetHealthcareItem', edition: 'B', kept: true },
  {
    on: 'POST|PUT|PATCH /v1/healthcare/{id}',
    run: 'UpdateHealthcareItem',
    edition: 'B',
    batch: true,
  },
  { on: 'DELETE /v1/healthcare/{id}', run: 'DeleteHealthcareItem', edition: 'B', batch: true },
  { on: 'GET /v1/healthcare/{id}/autosaves', run: 'ListHealthcareAutosaves', edition: 'B' },
  { on: 'POST /v1/healthcare/{id}/autosaves', run: 'AutosaveHealthcareItem', edition: 'B' },
];
