import { type Answer, eachItem, eachPage, type Page, type PageQuery, type PageSize } from './answers.js';
import type { Call } from './call.js';
import type { Body, Folder, Query, Tag, UtmTemplate } from './operation-types.js';
import { listOf } from './read-answer.js';
import type { CallOptions } from './settings.js';

export type TagCreate = Body<'createTag'>;
export type TagChanges = Omit<Body<'updateTag'>, 'id'>;
export type TagFilter = Omit<Query<'listTags'>, 'limit' | 'cursor'>;
export type FolderCreate = Body<'createFolder'>;
export type FolderChanges = Omit<Body<'updateFolder'>, 'id'>;

export type UtmTemplateCreate = Body<'createUtmTemplate'>;
export type UtmTemplateChanges = Omit<Body<'updateUtmTemplate'>, 'id'>;

export function tagMethods(call: Call) {
  /** One page of the tags, by name. */
  const list = (query?: TagFilter & PageQuery, options?: CallOptions): Promise<Page<Tag>> =>
    call('listTags', { query }, options, listOf<Tag>());

  return {
    list,

    /** Iterates over all tags, by name. */
    listAll: (
      { pageSize, ...filter }: TagFilter & PageSize = {},
      options?: CallOptions,
    ): AsyncGenerator<Tag, void> =>
      eachItem(eachPage('listTags', (page) => list({ ...filter, ...page }, options), { pageSize })),

    /** Creates a tag. Smartlinks also create the tags that they name. */
    create: (body: TagCreate, options?: CallOptions): Promise<Answer<Tag>> =>
      call('createTag', { body }, options),

    /** Changes the name or the colour of a tag. */
    update: (id: string, changes: TagChanges, options?: CallOptions): Promise<Answer<Tag>> =>
      call('updateTag', { body: { ...changes, id } }, options),

    /** Deletes a tag; its smartlinks lose it. */
    remove: (id: string, options?: CallOptions): Promise<Answer<null>> =>
      call('deleteTag', { body: { tagId: id } }, options),

    /** Moves the smartlinks of one tag to another, and deletes the first. Resolves to the tag that stays. */
    merge: (fromId: string, intoId: string, options?: CallOptions): Promise<Answer<Tag>> =>
      call('mergeTags', { body: { fromId, intoId } }, options),
  };
}

export function folderMethods(call: Call) {
  /** One page of the folders, newest first. */
  const list = (query?: PageQuery, options?: CallOptions): Promise<Page<Folder>> =>
    call('listFolders', { query }, options, listOf<Folder>());

  return {
    list,

    /** Iterates over all folders, newest first. */
    listAll: ({ pageSize }: PageSize = {}, options?: CallOptions): AsyncGenerator<Folder, void> =>
      eachItem(eachPage('listFolders', (page) => list(page, options), { pageSize })),

    /** Creates a folder. */
    create: (body: FolderCreate, options?: CallOptions): Promise<Answer<Folder>> =>
      call('createFolder', { body }, options),

    /** Changes the name or the description of a folder. */
    update: (id: string, changes: FolderChanges, options?: CallOptions): Promise<Answer<Folder>> =>
      call('updateFolder', { body: { ...changes, id } }, options),

    /** Deletes a folder; its smartlinks are in none then. */
    remove: (id: string, options?: CallOptions): Promise<Answer<null>> =>
      call('deleteFolder', { body: { folderId: id } }, options),
  };
}

export function utmTemplateMethods(call: Call) {
  /** One page of the UTM templates, newest first. */
  const list = (query?: PageQuery, options?: CallOptions): Promise<Page<UtmTemplate>> =>
    call('listUtmTemplates', { query }, options, listOf<UtmTemplate>());

  return {
    list,

    /** Iterates over all UTM templates, newest first. */
    listAll: ({ pageSize }: PageSize = {}, options?: CallOptions): AsyncGenerator<UtmTemplate, void> =>
      eachItem(eachPage('listUtmTemplates', (page) => list(page, options), { pageSize })),

    /** Creates a UTM template. */
    create: (body: UtmTemplateCreate, options?: CallOptions): Promise<Answer<UtmTemplate>> =>
      call('createUtmTemplate', { body }, options),

    /** Changes a UTM template; smartlinks made with it stay as they are. */
    update: (id: string, changes: UtmTemplateChanges, options?: CallOptions): Promise<Answer<UtmTemplate>> =>
      call('updateUtmTemplate', { body: { ...changes, id } }, options),

    /** Deletes a UTM template; smartlinks made with it stay as they are. */
    remove: (id: string, options?: CallOptions): Promise<Answer<null>> =>
      call('deleteUtmTemplate', { body: { templateId: id } }, options),
  };
}
