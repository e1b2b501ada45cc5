import { isObject } from '@smartlink/smartlink/is-object';
import { PAGE_OBJECTS } from '@smartlink/smartlink/smartlink-type';
import { STORE_LINK_NAMES } from '@smartlink/smartlink/store-links';
import type { LinkSnapshot } from '@smartlink/smartlink/snapshot';

/**
 * Returns whether a value that stood in Redis is a snapshot which the redirect tier can serve: the members that it looks
 * at before a visit are there, of their types. It is no second check of what management took: what stands inside a page
 * is not looked at, for a menu of a mebibyte would keep other visits waiting.
 */
export function isSnapshot(value: unknown): value is LinkSnapshot {
  if (!isObject(value)) return false;
  const { version, smartlinkId, ownerId, slug, status } = value;
  const isNamed = [smartlinkId, ownerId, slug].every((text) => typeof text === 'string');
  if (!isNamed || !Number.isSafeInteger(version) || Number(version) < 0) return false;
  if (status === 'Deleted') return true;
  return (status === 'Active' || status === 'Paused') && isOpenGraph(value['openGraph']) && hasContent(value);
}

function isOpenGraph(openGraph: unknown): boolean {
  if (openGraph === undefined) return true;
  return isObject(openGraph) && OPEN_GRAPH_TEXTS.every((name) => isTextOrNone(openGraph[name]));
}

function hasContent({ type, url, password, storeLinks, page }: Record<string, unknown>): boolean {
  if (type === 'Url') return isHref(url) && (password === undefined || isPassword(password));
  if (type === 'App') {
    return isObject(storeLinks) && STORE_LINK_NAMES.every((name) => isHrefOrNone(storeLinks[name]));
  }
  if (typeof type !== 'string' || !Object.hasOwn(PAGE_OBJECTS, type) || !isObject(page)) return false;
  const content = page[PAGE_OBJECTS[type as keyof typeof PAGE_OBJECTS]];
  return typeof content === 'object' && content !== null;
}

function isPassword(password: unknown): boolean {
  return (
    isObject(password) && typeof password['hash'] === 'string' && typeof password['version'] === 'number'
  );
}

// As it is written into a Location: printable ASCII (WHATWG URL), or the visit could not be answered.
const HREF = /^https?:\/\/[\x21-\x7e]+$/;

const isHref = (value: unknown): boolean => typeof value === 'string' && HREF.test(value);
const isHrefOrNone = (value: unknown): boolean => value === undefined || isHref(value);
const isTextOrNone = (value: unknown): boolean => value === undefined || typeof value === 'string';
const OPEN_GRAPH_TEXTS = ['title', 'description', 'imageUrl'];
