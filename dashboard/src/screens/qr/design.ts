import type { QrQuery } from '@smartlink/client';
import { colorTokens } from '@smartlink/pages/theme';

/** What a person chooses of a code. Numbers are as they are typed. */
export type Design = {
  readonly size: string;
  readonly margin: string;
  readonly ecc: 'L' | 'M' | 'Q' | 'H';
  readonly color: string;
  readonly background: string;
  /** Below the code; not of the API. */
  readonly caption: string;
};

const BLACK = '#000000';

/** In the link's own colour, dark enough for scanners, or black. */
export function firstDesign(themeColor: string | undefined): Design {
  const color = themeColor === undefined ? BLACK : colorTokens(themeColor, 'light').edge;
  return { size: '512', margin: '4', ecc: 'M', color, background: '#ffffff', caption: '' };
}

export function toQuery({ size, margin, ecc, color, background }: Design): QrQuery {
  return { size: Number(size), margin: Number(margin), ecc, color, background };
}

/** The address of the picture that the API draws. */
export function imageAddress(id: string, design: Design, format: 'svg' | 'png'): string {
  const query = Object.entries(toQuery(design)).map(([name, value]) => [name, String(value)]);
  return `/api/v1/smartlink/qr?${new URLSearchParams([['id', id], ['format', format], ...query]).toString()}`;
}

const LINE_SHARE = 0.075;
// Of the width of a letter in bold type, on average.
const LETTER_WIDTH = 0.6;

/** The code with its caption below, as a picture of its own. */
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

/** Draws the picture on a canvas, and gives it as the address of a PNG. */
export async function drawPng(svg: string): Promise<string> {
  const image = new Image();
  image.src = dataAddress(svg);
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  return canvas.toDataURL('image/png');
}
