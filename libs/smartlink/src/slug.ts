/** Longest slug, in characters (management-api.md, Limits). */
export const SLUG_LENGTH_MAX = 64;

/** Words no slug may be, in any case (management-api.md, Configuration). */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set(['dashboard', 'welcome', 'pp', 'tos']);

// No vowels and none of 0, 1, l, o: no words by accident, nothing to misread (decisions.md, Slugs).
const ASSIGNED_ALPHABET = '23456789bcdfghjkmnpqrstvwxyz';

/** Returns whether `text`, from `start` to `end`, has the form of a slug: 1 to 64 latin letters and digits. */
export function isSlug(text: string, start = 0, end = text.length): boolean {
  const length = end - start;
  if (length <= 0 || length > SLUG_LENGTH_MAX) return false;
  for (let i = start; i < end; i += 1) {
    const code = text.charCodeAt(i);
    const isDigit = code >= 48 && code <= 57;
    const isUpper = code >= 65 && code <= 90;
    const isLower = code >= 97 && code <= 122;
    if (!isDigit && !isUpper && !isLower) return false;
  }
  return true;
}

/** Returns the form under which a slug is unique and looked up. `slug` must satisfy isSlug (ASCII only). */
export function slugKey(slug: string): string {
  return slug.toLowerCase();
}

/** Returns a slug of `length` characters; `randomInt(max)` must give uniform integers below `max` from a CSPRNG. */
export function assignSlug(length: number, randomInt: (max: number) => number): string {
  let slug = '';
  for (let i = 0; i < length; i += 1) slug += ASSIGNED_ALPHABET.charAt(randomInt(ASSIGNED_ALPHABET.length));
  return slug;
}
