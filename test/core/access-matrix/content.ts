// Posts, pages, healthcare items, media, terms and revisions: docs/behaviour.md 2.5, 5.1, 6.2, 8.
import { type AccessTable, CALLERS, EDITORS, EVERYONE, only, SIGNED_IN, WRITERS } from './rules.js';

const many = (name: string, id: string) =>
  `mutation { ${name}(input: { ids: [${id}] }) { results { error { code } } } }`;

export const content: AccessTable = {
  lines: [
    ['contentEmbed', '{ contentEmbed(url: "x") { type } }', EVERYONE, 'EMBED_NOT_FOUND'],
    [
      'embedPreview',
      '{ embedPreview(url: "x") { type } }',
      only(WRITERS, 'FORBIDDEN', 'UNAUTHENTICATED'),
      'EMBED_NOT_FOUND',
    ],
    // Content that is published, for everyone
    ['posts', '{ posts { nodes { id } } }', EVERYONE],
    ['pages', '{ pages { nodes { id } } }', EVERYONE],
    ['healthcareItems', '{ healthcareItems { nodes { id } } }', EVERYONE],
    ['post', '{ post(id: $published) { id } }', EVERYONE],
    ['page', '{ page(id: $page) { id } }', EVERYONE],
    ['healthcareItem', '{ healthcareItem(id: $healthcare) { id } }', EVERYONE],
    ['content', '{ content(id: $page) { id } }', EVERYONE],
    ['search', '{ search(query: "x") { nodes { id } } }', EVERYONE],
    ['author', '{ author(id: $editor) { id name } }', EVERYONE],
    ['authors', '{ authors { nodes { id } } }', EVERYONE],
    [
      'possibleAuthors',
      '{ possibleAuthors { nodes { id } } }',
      only(EDITORS, 'FORBIDDEN', 'UNAUTHENTICATED'),
    ],
    [
      'contentChanges',
      '{ contentChanges { version } }',
      only(WRITERS, 'FORBIDDEN', 'UNAUTHENTICATED'),
    ],
    [
      'announceEditing',
      'mutation { announceEditing(input: { id: $draft }) { content { id } } }',
      only(EDITORS, 'FORBIDDEN_EDIT'),
    ],
    ['term', '{ term(id: 1) { id } }', EVERYONE],
    ['terms', '{ terms(taxonomy: CATEGORY) { nodes { id } } }', EVERYONE],
    // Media: the editor's
    ['mediaItems', '{ mediaItems { nodes { id } } }', EVERYONE],
    ['mediaItem', '{ mediaItem(id: $medium) { id } }', EVERYONE],
    ['mediaItem', '{ mediaItem(id: $hidden) { id } }', only(EDITORS, 'MEDIA_NOT_FOUND')],
    [
      'createMedia',
      'mutation { createMedia(input: { url: "https://cdn.example/x.jpg", mimeType: ' +
        '"image/jpeg" }) { media { id } } }',
      only('author editor administrator', 'FORBIDDEN_CREATE'),
    ],
    [
      'stagedUpload',
      'mutation { stagedUpload(input: { name: "x.png", mimeType: "image/png", bytes: 1 }) ' +
        '{ upload { id } } }',
      only('author editor administrator', 'FORBIDDEN_CREATE'),
    ],
    [
      'updateMedia',
      'mutation { updateMedia(input: { id: $medium, title: "x" }) { media { id } } }',
      only(EDITORS, 'FORBIDDEN_EDIT'),
    ],
    [
      'updateMedia',
      'mutation { updateMedia(input: { id: $hidden, title: "x" }) { media { id } } }',
      only(EDITORS, 'MEDIA_NOT_FOUND'),
    ],
    [
      'deleteMedia',
      'mutation { deleteMedia(input: { id: $medium }) { __typename } }',
      only(EDITORS, 'FORBIDDEN_EDIT'),
    ],
    // Content of the editor's that is not, and its editing
    ['post', '{ post(id: $draft) { id } }', only(EDITORS, 'FORBIDDEN')],
    ['post', '{ post(id: 4711) { id } }', { may: CALLERS }, 'POST_NOT_FOUND'],
    ['content', '{ content(id: $draft) { id } }', only(EDITORS, 'FORBIDDEN')],
    [
      'posts',
      '{ posts(filter: { statuses: [DRAFT] }) { nodes { id } } }',
      only(WRITERS, 'FORBIDDEN_STATUS'),
    ],
    [
      'createPost',
      'mutation { createPost(input: { title: "x" }) { post { id } } }',
      only(WRITERS, 'FORBIDDEN_CREATE'),
    ],
    [
      'createPost',
      'mutation { createPost(input: { title: "x", status: PUBLISH }) { post { id } } }',
      {
        ...only('author editor administrator', 'FORBIDDEN_CREATE'),
        contributor: 'FORBIDDEN_PUBLISH',
      },
    ],
    [
      'createPage',
      'mutation { createPage(input: { title: "x" }) { page { id } } }',
      only(EDITORS, 'FORBIDDEN_CREATE'),
    ],
    [
      'createHealthcareItem',
      'mutation { createHealthcareItem(input: { title: "x" }) { healthcareItem { id } } }',
      only(WRITERS, 'FORBIDDEN_CREATE'),
    ],
    [
      'updatePost',
      'mutation { updatePost(input: { id: $draft, title: "x" }) { post { id } } }',
      only(EDITORS, 'FORBIDDEN_EDIT'),
    ],
    [
      'updatePage',
      'mutation { updatePage(input: { id: $page, title: "x" }) { page { id } } }',
      only(EDITORS, 'FORBIDDEN_EDIT'),
    ],
    [
      'updateHealthcareItem',
      'mutation { updateHealthcareItem(input: { id: $healthcare, title: "x" }) { healthcareItem { id } } }',
      only(EDITORS, 'FORBIDDEN_EDIT'),
    ],
    [
      'autosavePost',
      'mutation { autosavePost(input: { id: $published, title: "x" }) { post { id } } }',
      only(EDITORS, 'FORBIDDEN_EDIT'),
    ],
    [
      'autosavePage',
      'mutation { autosavePage(input: { id: $page, title: "x" }) { page { id } } }',
      only(EDITORS, 'FORBIDDEN_EDIT'),
    ],
    [
      'autosaveHealthcareItem',
      'mutation { autosaveHealthcareItem(input: { id: $healthcare, title: "x" }) { healthcareItem { id } } }',
      only(EDITORS, 'FORBIDDEN_EDIT'),
    ],
    ['revision', '{ revision(id: $revision) { id } }', only(EDITORS, 'FORBIDDEN_READ')],
    ['revision', '{ revision(id: 4711) { id } }', { may: CALLERS }, 'POST_NOT_FOUND'],
    [
      'deleteRevision',
      'mutation { deleteRevision(input: { id: $revision }) { deletedRevisionId } }',
      only(EDITORS, 'FORBIDDEN_DELETE'),
    ],
    [
      'trashPost',
      'mutation { trashPost(input: { id: $draft }) { post { id } } }',
      only(EDITORS, 'FORBIDDEN_DELETE'),
    ],
    [
      'deletePost',
      'mutation { deletePost(input: { id: $draft }) { deletedPostId } }',
      only(EDITORS, 'FORBIDDEN_DELETE'),
    ],
    [
      'trashPage',
      'mutation { trashPage(input: { id: $page }) { page { id } } }',
      only(EDITORS, 'FORBIDDEN_DELETE'),
    ],
    [
      'deletePage',
      'mutation { deletePage(input: { id: $page }) { deletedPageId } }',
      only(EDITORS, 'FORBIDDEN_DELETE'),
    ],
    [
      'trashHealthcareItem',
      'mutation { trashHealthcareItem(input: { id: $healthcare }) { healthcareItem { id } } }',
      only(EDITORS, 'FORBIDDEN_DELETE'),
    ],
    [
      'deleteHealthcareItem',
      'mutation { deleteHealthcareItem(input: { id: $healthcare }) { deletedHealthcareItemId } }',
      only(EDITORS, 'FORBIDDEN_DELETE'),
    ],
    [
      'restorePost',
      'mutation { restorePost(input: { id: $draft }) { post { id } } }',
      only(EDITORS, 'FORBIDDEN_EDIT'),
      'NOT_TRASHED',
    ],
    [
      'restorePage',
      'mutation { restorePage(input: { id: $page }) { page { id } } }',
      only(EDITORS, 'FORBIDDEN_EDIT'),
      'NOT_TRASHED',
    ],
    [
      'restoreHealthcareItem',
      'mutation { restoreHealthcareItem(input: { id: $healthcare }) { healthcareItem { id } } }',
      only(EDITORS, 'FORBIDDEN_EDIT'),
      'NOT_TRASHED',
    ],
    [
      'restoreRevision',
      'mutation { restoreRevision(input: { id: $revision }) { item { id } } }',
      only(EDITORS, 'FORBIDDEN_EDIT'),
    ],
    [
      'createTerm',
      'mutation { createTerm(input: { taxonomy: TAG, name: "x" }) { term { id } } }',
      only(WRITERS, 'FORBIDDEN_CREATE_TERM'),
    ],
    [
      'createTerm',
      'mutation { createTerm(input: { taxonomy: CATEGORY, name: "x" }) { term { id } } }',
      only(EDITORS, 'FORBIDDEN_CREATE_TERM'),
    ],
    [
      'updateTerm',
      'mutation { updateTerm(input: { id: $tag, name: "x" }) { term { id } } }',
      only(EDITORS, 'FORBIDDEN_EDIT_TERM'),
    ],
    [
      'deleteTerm',
      'mutation { deleteTerm(input: { id: $tag }) { deletedTermId } }',
      only(EDITORS, 'FORBIDDEN_EDIT_TERM'),
    ],
    // Each is judged by itself, in its result: test/app/bulk.test.ts.
    ['publishPosts', many('publishPosts', '$draft'), SIGNED_IN],
    ['trashPosts', many('trashPosts', '$draft'), SIGNED_IN],
    ['restorePosts', many('restorePosts', '$draft'), SIGNED_IN],
    ['deletePosts', many('deletePosts', '$draft'), SIGNED_IN],
    ['publishPages', many('publishPages', '$page'), SIGNED_IN],
    ['trashPages', many('trashPages', '$page'), SIGNED_IN],
    ['restorePages', many('restorePages', '$page'), SIGNED_IN],
    ['deletePages', many('deletePages', '$page'), SIGNED_IN],
    ['publishHealthcareItems', many('publishHealthcareItems', '$healthcare'), SIGNED_IN],
    ['trashHealthcareItems', many('trashHealthcareItems', '$healthcare'), SIGNED_IN],
    ['restoreHealthcareItems', many('restoreHealthcareItems', '$healthcare'), SIGNED_IN],
    ['deleteHealthcareItems', many('deleteHealthcareItems', '$healthcare'), SIGNED_IN],
    ['deleteMediaItems', many('deleteMediaItems', '$medium'), SIGNED_IN],
    ['deleteTerms', many('deleteTerms', '$tag'), SIGNED_IN],
  ],
};
