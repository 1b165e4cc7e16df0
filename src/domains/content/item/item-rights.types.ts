import { ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import {
  mayDelete,
  mayEdit,
  refusalOfPublishing,
  refusalOfRestoring,
  refusalOfTrashing,
} from './item.rights.js';
import { ItemPart } from './item-part.types.js';

@ObjectType('ContentRights', { description: 'What the viewer may do with an item of content.' })
export class ItemRights extends ItemPart {
  private can = this.shown.viewer.can.bind(this.shown.viewer);

  @Visible(() => Boolean, { description: 'Change it.' })
  get edit(): boolean {
    return mayEdit(this.shown.viewer, this.row);
  }

  @Visible(() => Boolean, { description: 'Delete it for good.' })
  get delete(): boolean {
    return mayDelete(this.shown.viewer, this.row);
  }

  @Visible(() => Boolean, { description: 'Move it to the trash, unless it is there.' })
  get trash(): boolean {
    return !refusalOfTrashing(this.shown.viewer, this.row);
  }

  @Visible(() => Boolean, { description: 'Take it back from the trash, where it is.' })
  get restore(): boolean {
    return !refusalOfRestoring(this.shown.viewer, this.row);
  }

  @Visible(() => Boolean, { description: 'Publish it.' })
  get publish(): boolean {
    return !refusalOfPublishing(this.shown.viewer, this.row);
  }

  @Visible(() => Boolean, { description: 'Store any HTML in it.' })
  get unfilteredHtml(): boolean {
    return this.can('unfiltered_html');
  }

  @Visible(() => Boolean, { description: 'Make it sticky.' })
  get stick(): boolean {
    return this.can('edit_others_posts') && this.can('publish_posts');
  }

  @Visible(() => Boolean, { description: 'Give it another author.' })
  get assignAuthor(): boolean {
    return this.can('edit_others_posts');
  }

  @Visible(() => Boolean, { description: 'Make new terms in hierarchical taxonomies.' })
  get createCategories(): boolean {
    return this.can('manage_categories');
  }

  @Visible(() => Boolean, { description: 'Make new terms in flat taxonomies.' })
  get createTags(): boolean {
    return this.can('edit_posts');
  }

  @Visible(() => Boolean, { description: 'File it under terms.' })
  get assignTerms(): boolean {
    return this.can('edit_posts');
  }
}
