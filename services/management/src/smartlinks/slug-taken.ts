import { ApiError } from '../errors.js';

/** Returns the refusal of an address that belongs to another smartlink. */
export function slugTaken(): ApiError {
  return new ApiError('SMARTLINK_URL_TAKEN', {
    details: [{ path: 'configuration.smartlinkUrl', message: 'This smartlink URL is already taken' }],
  });
}
