/**
 * Returns the picture that the tests answer for an address at images.example, as SVG; null for the missing ones. What it
 * shows goes by its name (libs/pages/test/samples): a cover, a portrait, a logo, an icon, else a dish. Flat colours only, so that
 * screenshots stay small.
 */
export function madeUpPicture(url: string): string | null {
  const name = new URL(url).pathname;
  if (name.includes('missing')) return null;
  const hue = name.split(/(?:)/u).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);
  const color: Palette = (saturation, lightness, turn = 0) =>
    `hsl(${(hue + turn) % 360} ${saturation}% ${lightness}%)`;
  if (/cover|bg/.test(name)) return svg(1200, 400, cover(color));
  if (name.includes('tall')) return svg(100, 600, cover(color));
  if (/portrait|photo/.test(name)) return svg(400, 400, portrait(color));
  if (name.includes('logo')) return svg(400, 400, logo(color));
  if (name.includes('icon')) return svg(120, 120, icon(color));
  return svg(400, 400, dish(color, hue));
}

type Palette = (saturation: number, lightness: number, turn?: number) => string;

function svg(width: number, height: number, shapes: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${shapes}</svg>`;
}

function cover(color: Palette): string {
  return `<rect width="1200" height="600" fill="${color(45, 86)}"/>
<circle cx="930" cy="130" r="70" fill="${color(80, 94, 40)}"/>
<path d="M0 260 200 150 430 280 700 120 960 270 1200 170V600H0z" fill="${color(35, 70)}"/>
<path d="M0 330 300 240 620 340 900 230 1200 320V600H0z" fill="${color(35, 52)}"/>
<path d="M0 390 400 310 800 380 1200 330V600H0z" fill="${color(35, 36)}"/>`;
}

function portrait(color: Palette): string {
  return `<rect width="400" height="400" fill="${color(40, 84)}"/>
<path d="M60 400c0-100 60-140 140-140s140 40 140 140z" fill="${color(45, 38, 180)}"/>
<path d="M165 230h70v60c0 20-70 20-70 0z" fill="hsl(26 45% 66%)"/>
<circle cx="200" cy="165" r="78" fill="hsl(26 50% 74%)"/>
<path d="M115 190c-15-130 185-130 170 0-20-60-120-20-150-60-5 25-15 40-20 60z" fill="hsl(20 35% 22%)"/>`;
}

function logo(color: Palette): string {
  return `<rect width="400" height="400" fill="#fff"/>
<circle cx="200" cy="200" r="150" fill="${color(50, 36)}"/>
<path d="M200 90c70 60 70 160 0 220-70-60-70-160 0-220z" fill="#fff"/>
<path d="M194 130h12v180h-12z" fill="${color(50, 36)}"/>`;
}

function icon(color: Palette): string {
  return `<rect width="120" height="120" fill="${color(60, 88)}"/>
<circle cx="60" cy="60" r="32" fill="${color(55, 42)}"/><path d="M50 42v36l32-18z" fill="#fff"/>`;
}

/** A plate of something warm in colour with something green beside it. */
function dish(color: Palette, hue: number): string {
  const food = `hsl(${12 + (hue % 32)} ${58 + (hue % 25)}% ${38 + (hue % 22)}%)`;
  const green = `hsl(${88 + (hue % 30)} 42% ${36 + (hue % 14)}%)`;
  const scattered = [0, 1, 2, 3, 4].map((index) => {
    const angle = ((hue + index * 75) * Math.PI) / 180;
    const x = Math.round(195 + 62 * Math.cos(angle));
    const y = Math.round(205 + 48 * Math.sin(angle));
    return `<circle cx="${x}" cy="${y}" r="${9 + ((hue + index) % 8)}" fill="${index % 2 === 0 ? green : 'hsl(44 80% 70%)'}"/>`;
  });
  return `<rect width="400" height="400" fill="${color(14, 82)}"/>
<circle cx="200" cy="200" r="152" fill="#fff"/><circle cx="200" cy="200" r="120" fill="hsl(40 20% 94%)"/>
<ellipse cx="192" cy="206" rx="${82 + (hue % 16)}" ry="${66 + (hue % 14)}" fill="${food}"/>
${scattered.join('')}
<path d="M238 132c34-20 62 2 58 34-30 12-56-4-58-34z" fill="${green}"/>`;
}
