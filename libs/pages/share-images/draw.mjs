/**
 * Draws the pictures that previews of links show where the owner gave none: og-<kind>.png beside this file, 1200 by 630,
 * at most 40 KB, without words, so that they need no language. They are committed; run this by hand after a change:
 *
 *     node libs/pages/share-images/draw.mjs /usr/bin/chromium
 *
 * The argument is a Chromium or Chrome on this machine. Each picture is an SVG below. Its fills are flat: a gradient
 * would make the file several times as big. What matters stands in the square in the middle, to which some networks cut
 * it. The kinds are SHARE_IMAGE_KINDS of site.ts.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const WIDTH = 1200;
const HEIGHT = 630;

const GROUND = '#e9edf1';
const DISC = '#dee4ea';
const PAPER = '#ffffff';
const EDGE = '#cfd7df';
const SOFT = '#e4e9ee';
const MIDDLE = '#a9b5c1';
const QUIET = '#6f7f8f';
const INK = '#232b33';

/** A rectangle by its middle. */
function box(x, y, width, height, radius, fill, edge = 'none') {
  return (
    `<rect x="${x - width / 2}" y="${y - height / 2}" width="${width}" height="${height}" rx="${radius}" ` +
    `fill="${fill}" stroke="${edge}" stroke-width="2"/>`
  );
}

/** A line of text without letters, from its left end. */
function line(x, y, width, thickness, fill) {
  return `<rect x="${x}" y="${y - thickness / 2}" width="${width}" height="${thickness}" rx="${thickness / 2}" fill="${fill}"/>`;
}

function disc(x, y, radius, fill) {
  return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`;
}

/** Strokes on a grid of 24, as the icons of the pages, `size` wide around a middle. */
function glyph(x, y, size, color, paths) {
  const scale = size / 24;
  return (
    `<g transform="translate(${x - size / 2} ${y - size / 2}) scale(${scale})" fill="none" stroke="${color}" ` +
    `stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${paths}</g>`
  );
}

const ARROW = '<path d="M7 17 17 7M9 7h8v8"/>';
const CHAIN =
  '<path d="M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.2 1.2M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.2-1.2"/>';
const DOWNLOAD = '<path d="M12 4v11M7 10.5l5 5 5-5M5 20h14"/>';
const PLUS = '<path d="M12 6v12M6 12h12"/>';
const PERSON = '<circle cx="12" cy="8.5" r="3.5"/><path d="M5 19.5c.8-3.6 3.6-5.5 7-5.5s6.2 1.9 7 5.5"/>';

/** The round mark at the corner of a sheet: what one does there. */
function mark(x, y, paths) {
  return disc(x, y, 62, GROUND) + disc(x, y, 52, INK) + glyph(x, y, 52, PAPER, paths);
}

function link() {
  return (
    box(600, 315, 540, 132, 66, PAPER, EDGE) +
    glyph(404, 315, 56, QUIET, CHAIN) +
    line(456, 315, 210, 22, MIDDLE) +
    disc(804, 315, 52, INK) +
    glyph(804, 315, 56, PAPER, ARROW)
  );
}

function landing() {
  const buttons = [336, 418, 500].map((y, index) => {
    const [fill, text] = index === 0 ? [INK, PAPER] : [SOFT, MIDDLE];
    return (
      box(600, y, 272, 62, 18, fill) + disc(498, y, 11, text) + line(524, y, [140, 104, 122][index], 14, text)
    );
  });
  return (
    box(600, 315, 340, 510, 36, PAPER, EDGE) +
    disc(600, 152, 56, SOFT) +
    glyph(600, 152, 60, QUIET, '<path d="M4 10.5 12 4l8 6.5M6.5 9v10.5h11V9M10 19.5v-5h4v5"/>') +
    line(520, 240, 160, 20, INK) +
    line(544, 274, 112, 12, MIDDLE) +
    buttons.join('')
  );
}

/** Looks like a code and is none: a scanner finds nothing in it. */
function tag() {
  const cell = 20;
  const rows = [
    '.......#.#.......',
    '.......##........',
    '........#........',
    '.......#.#.......',
    '.......#.........',
    '........##.......',
    '.......#.#.......',
    '#.##.#..##.#.##.#',
    '..#.##.#..##..#..',
    '##..#.###.#.##.##',
    '.......#.##..#.#.',
    '.......##..#.##..',
    '........#.##..#.#',
    '.......#.#..##.#.',
    '.......#..##.#.##',
    '........##.#...#.',
    '.......#..#.##.##',
  ];
  const left = 600 - (rows.length * cell) / 2;
  const top = 315 - (rows.length * cell) / 2;
  const cells = rows.flatMap((row, y) =>
    [...row].map((sign, x) =>
      sign === '#' ? box(left + (x + 0.5) * cell, top + (y + 0.5) * cell, cell - 4, cell - 4, 5, INK) : '',
    ),
  );
  const corners = [
    [left + 60, top + 60],
    [left + 280, top + 60],
    [left + 60, top + 280],
  ].map(([x, y]) => box(x, y, 120, 120, 30, INK) + box(x, y, 80, 80, 16, PAPER) + box(x, y, 46, 46, 12, INK));
  return box(600, 315, 448, 448, 48, PAPER, EDGE) + cells.join('') + corners.join('');
}

function card() {
  return (
    box(600, 315, 548, 372, 36, PAPER, EDGE) +
    `<path d="M327 249v-84a35 35 0 0 1 35-35h476a35 35 0 0 1 35 35v84z" fill="${MIDDLE}"/>` +
    disc(448, 252, 80, PAPER) +
    disc(448, 252, 70, SOFT) +
    glyph(448, 252, 84, QUIET, PERSON) +
    line(374, 372, 236, 24, INK) +
    line(374, 414, 160, 14, MIDDLE) +
    line(374, 448, 196, 14, MIDDLE) +
    mark(822, 442, PLUS)
  );
}

function text() {
  // Each line: its indentation, then its parts as width and colour.
  const lines = [
    [0, 80, QUIET, 150, INK],
    [1, 112, INK, 72, MIDDLE],
    [1, 58, QUIET, 142, INK],
    [2, 168, MIDDLE],
    [2, 84, INK, 100, MIDDLE],
    [1, 48, QUIET],
    [0, 30, INK],
    [0, 120, MIDDLE, 74, INK],
  ];
  const code = lines.map(([indent, ...parts], index) => {
    const y = 142 + index * 50;
    let x = 488 + indent * 34;
    let drawn = line(430, y, 22, 12, EDGE);
    for (let part = 0; part < parts.length; part += 2) {
      drawn += line(x, y, parts[part], 16, parts[part + 1]);
      x += parts[part] + 16;
    }
    return drawn;
  });
  return (
    box(600, 315, 420, 488, 36, PAPER, EDGE) +
    `<path d="M466 72v486" stroke="${SOFT}" stroke-width="2"/>` +
    code.join('')
  );
}

function menu() {
  const dishes = [0, 1, 2].map((index) => {
    const y = 240 + index * 118;
    const [name, price] = [
      [150, 58],
      [118, 72],
      [166, 50],
    ][index];
    return (
      line(424, y - 26, name, 18, INK) +
      line(424, y + 4, 196, 12, EDGE) +
      line(424, y + 32, price, 16, QUIET) +
      box(734, y, 92, 92, 20, SOFT) +
      disc(734, y, 30, MIDDLE) +
      disc(734, y, 18, SOFT) +
      (index === 2 ? '' : `<path d="M424 ${y + 59}h356" stroke="${SOFT}" stroke-width="2"/>`)
    );
  });
  return (
    box(600, 315, 440, 520, 36, PAPER, EDGE) +
    line(424, 110, 96, 36, INK) +
    line(536, 110, 110, 36, SOFT) +
    line(662, 110, 118, 36, SOFT) +
    `<path d="M380 152h440" stroke="${EDGE}" stroke-width="2"/>` +
    dishes.join('')
  );
}

function app() {
  return (
    box(386, 315, 124, 124, 32, PAPER, EDGE) +
    box(814, 315, 124, 124, 32, PAPER, EDGE) +
    glyph(386, 315, 68, QUIET, '<rect x="7" y="3" width="10" height="18" rx="2.5"/><path d="M11 18h2"/>') +
    glyph(814, 315, 68, QUIET, '<rect x="5" y="5" width="14" height="10" rx="2"/><path d="M2.5 19h19"/>') +
    box(600, 315, 250, 250, 62, INK) +
    glyph(600, 315, 138, PAPER, DOWNLOAD)
  );
}

const DRAWINGS = { link, landing, tag, card, text, menu, app };

const executablePath = process.argv[2];
if (executablePath === undefined)
  throw new Error('Name the browser to draw with: node draw.mjs /usr/bin/chromium');
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
  for (const [kind, draw] of Object.entries(DRAWINGS)) {
    await page.setContent(
      `<!doctype html><style>*{margin:0}svg{display:block}</style><svg xmlns="http://www.w3.org/2000/svg" ` +
        `width="${WIDTH}" height="${HEIGHT}">${box(600, 315, WIDTH, HEIGHT, 0, GROUND)}${disc(600, 315, 285, DISC)}${draw()}</svg>`,
    );
    const png = await page.screenshot({ type: 'png' });
    writeFileSync(fileURLToPath(new URL(`og-${kind}.png`, import.meta.url)), png);
    console.log(`og-${kind}.png: ${(png.length / 1024).toFixed(1)} KB`);
  }
} finally {
  await browser.close();
}
