/** Where visitors get uploaded pictures. */
export const MEDIA_PATH = '/-/media/';

/** Widths of the files made of a picture, besides its own, in pixels. */
export const MEDIA_WIDTHS = [96, 192, 384, 768, 1600] as const;
export const MEDIA_WIDTH_MAX = 1600;

/** Media types of the files, by extension. */
export const MEDIA_TYPES = { webp: 'image/webp', jpg: 'image/jpeg', png: 'image/png' } as const;

/** A file of a picture. */
export type MediaFile = {
  /** Of the picture: 32 hexadecimal digits. */
  readonly hash: string;
  readonly width: number;
  readonly extension: keyof typeof MEDIA_TYPES;
};

const NAME = /^([0-9a-f]{32})-([1-9]\d{0,3})\.(webp|jpg|png)$/;

/** The file of that name; null if it has another form. */
export function parseMediaName(name: string): MediaFile | null {
  const [, hash, width, extension] = NAME.exec(name) ?? [];
  if (hash === undefined || width === undefined) return null;
  return { hash, width: Number(width), extension: extension as MediaFile['extension'] };
}

export function mediaName({ hash, width, extension }: MediaFile): string {
  return `${hash}-${width}.${extension}`;
}

/** The widths of a picture's files, given that of the widest. */
export function mediaWidths(widest: number): readonly number[] {
  return [...MEDIA_WIDTHS.filter((width) => width < widest), widest];
}

/**
 * `srcset` of a picture at an address of the instance: its WebP files of at most `widthMax`, or the smallest one above. Null
 * for other addresses.
 */
export function mediaSrcset(url: string, publicBaseUrl: string, widthMax: number): string | null {
  const start = `${publicBaseUrl}${MEDIA_PATH}`;
  if (!url.startsWith(start)) return null;
  const file = parseMediaName(url.slice(start.length));
  if (file === null) return null;
  const widths = mediaWidths(file.width);
  const last = widths.findIndex((width) => width >= widthMax);
  const chosen = last === -1 ? widths : widths.slice(0, last + 1);
  return chosen
    .map((width) => `${start}${mediaName({ hash: file.hash, width, extension: 'webp' })} ${width}w`)
    .join(', ');
}
