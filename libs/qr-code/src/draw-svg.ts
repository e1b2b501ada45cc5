import type { Color } from './color.js';
import { widthModules } from './drawing.js';
import type { Drawing } from './drawing.js';
import { logoPadOf, withLogoPad } from './logo-pad.js';
import type { QrSymbol } from './qr-symbol.js';

// Background that is left between the logo and the modules around it.
const LOGO_GAP_MODULES = 0.5;

/**
 * Returns an SVG document (SVG 2) with the symbol as one path and `title` as its name. With `logoUrl` (http or https;
 * throws for anything else) that picture, which is not fetched here, stands on a pad in the middle; encode the symbol
 * at level Q or H then.
 */
export function drawSvg(
  drawing: Drawing,
  { title, logoUrl }: { title: string; logoUrl: string | null },
): string {
  const { sizePx, marginModules, color, background } = drawing;
  const symbol = logoUrl === null ? drawing.symbol : withLogoPad(drawing.symbol);
  const width = widthModules(drawing);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${sizePx}" height="${sizePx}" viewBox="0 0 ${width} ${width}"`,
    ` role="img" shape-rendering="crispEdges"><title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${width}"${fill(background)}/>`,
    `<path${fill(color)} d="${pathOf(symbol, marginModules)}"/>`,
    logoUrl === null ? '' : logoImage(drawing, logoUrl),
    '</svg>',
  ].join('');
}

/** A box for every run of dark modules in a row. */
function pathOf(symbol: QrSymbol, margin: number): string {
  let path = '';
  symbol.forEach((row, y) => {
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue;
      const start = x;
      while (row[x + 1]) x += 1;
      path += `M${start + margin} ${y + margin}h${x + 1 - start}v1H${start + margin}z`;
    }
  });
  return path;
}

// SVG 1.1 knows no alpha in a colour, and programs for print often no more than that.
function fill({ red, green, blue, alpha }: Color): string {
  const hex = [red, green, blue].map((channel) => channel.toString(16).padStart(2, '0')).join('');
  return ` fill="#${hex}"${alpha === 1 ? '' : ` fill-opacity="${Number(alpha.toFixed(3))}"`}`;
}

function logoImage({ symbol, marginModules }: Drawing, logoUrl: string): string {
  const url = new URL(logoUrl);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new RangeError('A logo must have an http or https address');
  }
  const pad = logoPadOf(symbol);
  const start = marginModules + pad.start + LOGO_GAP_MODULES;
  const width = pad.width - 2 * LOGO_GAP_MODULES;
  return `<image href="${escapeXml(url.href)}" x="${start}" y="${start}" width="${width}" height="${width}"/>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
