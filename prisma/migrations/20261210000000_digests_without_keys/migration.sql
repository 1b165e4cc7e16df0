-- oldest: 0.1.0
-- Whether an imported item was changed here does not depend on the key of its title any more, which each
-- version may make anew.
UPDATE "imported_row" i SET "own_digest" = md5(jsonb_build_array(t.kind, t.status, t.title,
    t.title_rendered, t.content, t.content_rendered, t.excerpt, t.excerpt_rendered, t.rendering,
    t.block_version, t.slug, t.password, t.author_id, t.published_at, t.floating, t.created_at,
    t.modified_at, t.comments_open, t.pings_open, t.sticky, t.format, t.template, t.footnotes,
    t.featured_media_id, t.parent_id, t.menu_order, t.guid, t.version, t.clocks)::text)
FROM "content_item" t
WHERE i.kind = t.kind AND i.id = t.id
    AND i.own_digest = md5(jsonb_build_array(t.kind, t.status, t.title, t.title_key,
    t.title_rendered, t.content, t.content_rendered, t.excerpt, t.excerpt_rendered, t.rendering,
    t.block_version, t.slug, t.password, t.author_id, t.published_at, t.floating, t.created_at,
    t.modified_at, t.comments_open, t.pings_open, t.sticky, t.format, t.template, t.footnotes,
    t.featured_media_id, t.parent_id, t.menu_order, t.guid, t.version, t.clocks)::text);
