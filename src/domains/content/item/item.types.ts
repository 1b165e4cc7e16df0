import { Field, Int, InterfaceType } from 'type-graphql';
import { Access, Visible } from '../../../core/access.js';
import { Rows, WEIGHTS, Weight } from '../../../core/cost.js';
import { Internal, Promised, RestDescription } from '../../../core/marks.js';
import { Node } from '../../../core/node.js';
import { ClockTime, DateTime, WebAddress } from '../../../core/scalars.js';
import { trimmedEnd } from '../../../platform/trim.js';
import { clockTime, zoneEdition } from '../../../platform/zone.js';
import { shownModification, shownTime } from '../clocks.js';
import { ItemKind, ItemState } from '../content.enums.js';
import { slugify } from '../rendering/slug.js';
import { KINDS, type Kind } from './item.kinds.js';
import { mayDelete, mayEdit } from './item.rights.js';
import { editors, ItemPart } from './item-part.types.js';
import { ItemRights } from './item-rights.types.js';
import { ItemContent, ItemGuid, ItemTitle } from './item-texts.types.js';

/** What every kind of content has. Its relations are in item-relation.resolver.ts. */
@InterfaceType('ContentItem', {
  implements: Node,
  description: 'What every kind of content has: posts, pages and healthcare items.',
})
export abstract class Item extends ItemPart {
  @RestDescription('Unique identifier for the post.')
  @Visible(() => Int, {
    name: 'databaseId',
    description: 'The number that apps know it by. Content and media share one sequence.',
  })
  get id(): number {
    return this.row.id;
  }

  @Visible(() => ItemKind, { description: 'The kind of content that it is.' })
  get kind(): Kind {
    return this.row.kind;
  }

  @RestDescription('A named status for the post.')
  @Visible(() => ItemState, { description: 'Whether it is published, and if not, why.' })
  get status(): string {
    return this.row.status;
  }

  @Weight(WEIGHTS.text)
  @Visible(() => String, { description: 'Title, as HTML.' })
  get title(): string {
    return this.titleText.rendered;
  }

  @Access(editors)
  @Weight(WEIGHTS.text)
  @Field(() => String, {
    nullable: true,
    description: 'Title as it was written. Null for who may not edit the item.',
  })
  get titleSource(): string {
    return this.titleText.raw;
  }

  @Promised()
  @Weight(WEIGHTS.content)
  @Visible(() => String, {
    description:
      'Content, as HTML. Empty while a password protects it from a viewer who may not edit the ' +
      'item.',
  })
  get content(): string | Promise<string> {
    return this.isReadable ? this.contentText.html : '';
  }

  @Access(editors)
  @Weight(WEIGHTS.content)
  @Field(() => String, {
    nullable: true,
    description: 'Content as it was written. Null for who may not edit the item.',
  })
  get contentSource(): string {
    return this.contentText.raw;
  }

  @Visible(() => Boolean, { description: 'Whether a password protects content and excerpt.' })
  get isProtected(): boolean {
    return this.row.password !== '';
  }

  @Access(editors)
  @RestDescription('A password to protect access to the content and excerpt; empty when none.')
  @Field(() => String, {
    nullable: true,
    description:
      'Password that protects content and excerpt; empty when none does. Null for who may not ' +
      'edit the item.',
  })
  get password(): string {
    return this.row.password;
  }

  @RestDescription(
    'An alphanumeric identifier for the post unique to its type. Empty until publication ' +
      'when none was given.',
  )
  @Visible(() => String, {
    description:
      'Its name in addresses, unique among its siblings of one kind. Empty until publication ' +
      'when none was given.',
  })
  get slug(): string {
    return this.row.slug;
  }

  @Weight(WEIGHTS.text)
  @RestDescription('Slug automatically generated from the post title.')
  @Visible(() => String, {
    description: 'The slug; or, while it has none, the one that its title would give it.',
  })
  get generatedSlug(): string {
    return this.row.slug || slugify(this.row.title);
  }

  @Visible(() => WebAddress, { description: 'Address of its page on the site.' })
  get url(): string {
    return this.link;
  }

  @Visible(() => DateTime, { description: 'When it was or will be published, in UTC.' })
  get publishedAt(): Date {
    return this.row.publishedAt;
  }

  @Visible(() => DateTime, { description: 'When it was last changed, in UTC.' })
  get modifiedAt(): Date {
    return this.row.modifiedAt;
  }

  @Visible(() => Int, {
    description: 'Counts its changes. A change may name the version that it was based on.',
  })
  get version(): number {
    return this.row.version;
  }

  @Visible(() => ItemRights, { description: 'What the viewer may do with it.' })
  get viewerCan(): ItemRights {
    return new ItemRights(this.row, this.shown);
  }

  @Internal()
  @Visible(() => String, { description: 'Type of post.' })
  get type(): string {
    return this.row.kind;
  }

  @Internal()
  @Visible(() => ClockTime, {
    description: "The date the post was published, in the site's timezone.",
  })
  get date(): string {
    return shownTime(this.row, this.row.publishedAt, this.shown.zone);
  }

  @Internal()
  @Visible(() => ClockTime, { description: 'The date the post was published, as GMT.' })
  get dateGmt(): string {
    return clockTime(this.row.publishedAt, 'UTC');
  }

  @Internal()
  @Visible(() => ClockTime, {
    description: "The date the post was last modified, in the site's timezone.",
  })
  get modified(): string {
    return shownModification(this.row, this.row.modifiedAt, this.shown.zone);
  }

  @Internal()
  @Visible(() => ClockTime, { description: 'The date the post was last modified, as GMT.' })
  get modifiedGmt(): string {
    return clockTime(this.row.modifiedAt, 'UTC');
  }

  @Internal()
  @Visible(() => ItemGuid, { description: 'The globally unique identifier for the post.' })
  get guid(): ItemGuid {
    return new ItemGuid(this.row, this.shown);
  }

  @Internal()
  @Visible(() => String, { description: 'URL to the post.' })
  get link(): string {
    const { row, shown } = this;
    if (row.id === shown.frontPageId) return `${shown.siteUrl}/`;
    const { path, plain } = KINDS[row.kind];
    const addressed = row.status === 'publish' || row.status === 'private';
    // A published item without a slug, which only an import makes, has the address of the site.
    const shownPath = `${trimmedEnd(path(row.path ?? row.slug), '/')}/`;
    return shown.siteUrl + (addressed ? shownPath : plain(row.id));
  }

  @Internal()
  @Visible(() => ItemTitle, { description: 'The title for the post.' })
  get titleText(): ItemTitle {
    return new ItemTitle(this.row, this.shown);
  }

  @Internal()
  @Visible(() => ItemContent, { description: 'The content for the post.' })
  get contentText(): ItemContent {
    return new ItemContent(this.row, this.shown);
  }

  @Internal()
  @Visible(() => Int, { description: 'The ID of the featured media for the post; 0 when none.' })
  get featuredMediaId(): number {
    return this.row.featuredMediaId;
  }

  @Internal()
  @Visible(() => String, {
    description: 'The theme file to use to display the post; empty for the default.',
  })
  get template(): string {
    return this.row.template;
  }

  @Internal()
  @Visible(() => String, { description: 'Permalink template for the post.' })
  get permalinkTemplate(): string {
    const { kind, path } = this.row;
    if (kind !== 'page') return this.shown.siteUrl + KINDS[kind].path('%postname%');
    const above = path?.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '';
    return this.shown.siteUrl + KINDS.page.path(`${above}%pagename%`);
  }

  @Internal()
  @Visible(() => String, {
    nullable: true,
    description:
      'A text that differs when what its REST body shows in the context `view` differs, but for embedded ' +
      'items. Null where that depends on other rows, or is not rendered yet.',
  })
  get stamp(): string | null {
    const { row, shown } = this;
    if (!this.isWhole || row.stamp === undefined) return null;
    const rights = `${mayEdit(shown.viewer, row)} ${mayDelete(shown.viewer, row)}`;
    return `${row.stamp} ${rights} ${shown.zone} ${zoneEdition()} ${row.id === shown.frontPageId}`;
  }

  @Internal()
  @Rows(10)
  @Visible(() => [String], {
    description: 'An array of the class names for the post container element.',
  })
  get classList(): string[] {
    const { row } = this;
    return [
      `post-${row.id}`,
      row.kind,
      `type-${row.kind}`,
      `status-${row.status}`,
      ...(row.kind === 'post' ? [`format-${row.format}`] : []),
      ...(row.featuredMediaId ? ['has-post-thumbnail'] : []),
      ...(this.isOpen ? [] : ['post-password-required']),
      'hentry',
      ...(row.termClasses ?? []),
      ...(row.format === 'standard' ? [] : [`post_format-post-format-${row.format}`]),
    ];
  }
}
