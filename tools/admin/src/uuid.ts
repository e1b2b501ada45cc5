/** Returns whether `text` has the form of an id of ours: a UUID in lower case, as every list prints it. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}
