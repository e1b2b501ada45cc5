import { type Answer, eachItem, eachPage, type Page, type PageQuery, type PageSize } from './answers.js';
import type { Call } from './call.js';
import type { Data } from './operation-types.js';
import { listOf } from './read-answer.js';
import type { CallOptions } from './settings.js';

export type Media = Data<'uploadMedia'>;

// The service ends an upload after ten minutes.
const UPLOAD_LIMITS = { timeoutMs: 620_000, deadlineMs: 620_000 };

/** Uploaded pictures. */
export function mediaMethods(call: Call) {
  /** One page of the pictures, newest first. */
  const list = (query?: PageQuery, options?: CallOptions): Promise<Page<Media>> =>
    call('listMedia', { query }, options, listOf<Media>());

  return {
    list,

    /** Iterates over all pictures, newest first. */
    listAll: ({ pageSize }: PageSize = {}, options?: CallOptions): AsyncGenerator<Media, void> =>
      eachItem(eachPage('listMedia', (page) => list(page, options), { pageSize })),

    /** Uploads a picture; its type is that of the Blob. Give `url` of the answer to a smartlink. */
    upload: (picture: Blob, options?: CallOptions): Promise<Answer<Media>> =>
      call('uploadMedia', { file: picture, fileType: picture.type }, { ...UPLOAD_LIMITS, ...options }),

    /** Deletes a picture. Rejects with MEDIA_IN_USE while a smartlink has its address. */
    remove: (id: string, options?: CallOptions): Promise<Answer<null>> =>
      call('deleteMedia', { body: { mediaId: id } }, options),
  };
}
