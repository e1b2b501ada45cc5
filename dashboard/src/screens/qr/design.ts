import type { QrQuery } from '@smartlink/client';
import { colorTokens } from '@smartlink/pages/theme';

/** Settings of a code. Numbers are kept as typed. */
export type Design = {
  readonly size: string;
  readonly margin: string;
  readonly ecc: 'L' | 'M' | 'Q' | 'H';
  readonly color: string;
  readonly background: string;
  // Not of the API:
  /** `data:` URL of the picture in the middle; empty: none. */
  readonly logo: string;
  /** Below the code. */
  readonly caption: string;
};

const BLACK = '#000000';

/** In the link's colour, darkened for scanners, or black. */
export function firstDesign(themeColor: string | undefined): Design {
  const color = themeColor === undefined ? BLACK : colorTokens(themeColor, 'light').edge;
  return { size: '512', margin: '4', ecc: 'M', color, background: '#ffffff', logo: '', caption: '' };
}

export function toQuery({ size, margin, ecc, color, background }: Design): QrQuery {
  return { size: Number(size), margin: Number(margin), ecc, color, background };
}

/** URL of the picture drawn by the API. */
export function imageAddress(id: string, design: Design, format: 'svg' | 'png'): string {
  const query = Object.entries(toQuery(design)).map(([name, value]) => [name, String(value)]);
  return `/api/v1/smartlink/qr?${new URLSearchParams([['id', id], ['format', format], ...query]).toString()}`;
}

/** Levels allowed with a logo, which hides modules. */
export const LOGO_ECCS: readonly Design['ecc'][] = ['Q', 'H'];

// Share of the code's width, as in the API's pictures with a logo.
const LOGO_SHARE = 0.2;
const GAP_MODULES = 0.5;

/** Adds the logo on a centred square of whole modules. */
export function addLogo(svg: string, { logo, margin, background }: Design): string {
  const [, sides] = /viewBox="0 0 (\d+) /.exec(svg) ?? [];
  if (logo === '' || sides === undefined) return svg;
  const widest = Math.floor((Number(sides) - 2 * Number(margin)) * LOGO_SHARE);
  // A code has an odd number of modules; a centred square needs one too.
  const width = widest % 2 === 1 ? widest : widest - 1;
  const square = (start: number, side: number) =>
    `x="${start}" y="${start}" width="${side}" height="${side}"`;
  const start = (Number(sides) - width) / 2;
  return svg.replace(
    '</svg>',
    `<rect ${square(start, width)} fill="${background}"/>` +
      `<image href="${escapeXml(logo)}" ${square(start + GAP_MODULES, width - 2 * GAP_MODULES)}/></svg>`,
  );
}

const LOGO_PX_MAX = 256;

/** Reads a picture as a small `data:` URL. Rejects if the file is not a picture. */
export async function readLogo(file: File): Promise<string> {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  try {
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const scale = Math.min(1, LOGO_PX_MAX / Math.max(width, height));
    return drawImage(image, Math.ceil(width * scale), Math.ceil(height * scale));
  } finally {
    URL.revokeObjectURL(image.src);
  }
}

const LINE_SHARE = 0.075;
// Average width of a bold letter, relative to the font size.
const LETTER_WIDTH = 0.6;

/** Adds the caption below the code. */
export function addCaption(svg: string, { size, color, background, caption }: Design): string {
  if (caption === '') return svg;
  const width = Number(size);
  const fontSize = Math.min(width * LINE_SHARE, (width * 0.92) / (caption.length * LETTER_WIDTH));
  const band = Math.round(width * LINE_SHARE * 1.8);
  const height = width + band;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" fill="${background}"/>`,
    svg,
    `<text x="${width / 2}" y="${width + band * 0.4}" text-anchor="middle" font-family="system-ui, sans-serif" `,
    `font-weight="600" font-size="${fontSize.toFixed(1)}" fill="${color}">${escapeXml(caption)}</text></svg>`,
  ].join('');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escapeXml = (text: string): string => text.replaceAll(/[&<>"]/g, (each) => ENTITIES[each] ?? '');

export const dataAddress = (svg: string): string => `data:image/svg+xml,${encodeURIComponent(svg)}`;

/** Rasterizes the picture to a PNG `data:` URL. */
export async function drawPng(svg: string): Promise<string> {
  const image = new Image();
  image.src = dataAddress(svg);
  await image.decode();
  return drawImage(image, image.naturalWidth, image.naturalHeight);
}

function drawImage(image: HTMLImageElement, width: number, height: number): string {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  canvas.getContext('2d')?.drawImage(image, 0, 0, width, height);
  return canvas.toDataURL('image/png');
}
