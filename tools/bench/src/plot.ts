import type { Spread } from './figures.js';

export type Bar = {
  readonly label: string;
  readonly value: Spread;
  /** Ours stands out from what it is compared with. */
  readonly isOurs?: boolean;
};

export type BarPlot = {
  readonly title: string;
  /** What the numbers are, under the title. */
  readonly unit: string;
  readonly bars: readonly Bar[];
  /** A line across all bars, such as a goal. */
  readonly mark?: { readonly value: number; readonly label: string };
  readonly write: (value: number) => string;
};

export type Line = {
  readonly label: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
};

export type LinePlot = {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly lines: readonly Line[];
  /** Steps of the x axis are factors, not sums. */
  readonly isLogX?: boolean;
  readonly write: (value: number) => string;
  readonly writeX: (value: number) => string;
};

const WIDTH = 760;
const MARGIN = 16;
const TITLE_HEIGHT = 58;

// Bars.
const LABEL_WIDTH = 250;
const VALUE_WIDTH = 96;
const ROW_HEIGHT = 30;
const BAR_HEIGHT = 16;

// Lines.
const PLOT_HEIGHT = 260;
const AXIS_WIDTH = 64;
const AXIS_HEIGHT = 44;
const LEGEND_HEIGHT = 22;
const TICKS = 5;
const LINE_COLOURS = 6;

/** Returns an SVG of horizontal bars from 0, the median with a whisker from the least to the most. Light or dark as the reader's screen. */
export function renderBars({ title, unit, bars, mark, write }: BarPlot): string {
  const markHeight = mark === undefined ? 0 : 20;
  const height = TITLE_HEIGHT + markHeight + bars.length * ROW_HEIGHT + MARGIN;
  const room = WIDTH - LABEL_WIDTH - VALUE_WIDTH;
  const most = Math.max(...bars.map(({ value }) => value.most), mark?.value ?? 0);
  const x = (value: number) => LABEL_WIDTH + (room * value) / most;
  const rows = bars.map(({ label, value, isOurs = false }, row) => {
    const top = TITLE_HEIGHT + markHeight + row * ROW_HEIGHT;
    const middle = top + BAR_HEIGHT / 2;
    return [
      text(LABEL_WIDTH - 10, middle + 4, label, 'end'),
      `<rect class="${isOurs ? 'ours' : 'other'}" x="${LABEL_WIDTH}" y="${top}" width="${coordinate(x(value.median) - LABEL_WIDTH)}" height="${BAR_HEIGHT}" rx="2"/>`,
      whisker(x(value.least), x(value.most), middle),
      text(WIDTH - VALUE_WIDTH + 14, middle + 4, write(value.median), 'start', 'value'),
    ].join('\n');
  });
  const markLine =
    mark === undefined
      ? ''
      : `<line class="mark" x1="${coordinate(x(mark.value))}" x2="${coordinate(x(mark.value))}" y1="${TITLE_HEIGHT + markHeight - 6}" y2="${height - MARGIN}"/>
${text(x(mark.value), TITLE_HEIGHT + markHeight - 11, mark.label, 'middle', 'quiet')}`;
  return svg(height, title, [heading(title, unit), ...rows, markLine]);
}

/** Returns an SVG of lines over a common x axis, y from 0. Light or dark as the reader's screen. */
export function renderLines(plot: LinePlot): string {
  const { title, xLabel, yLabel, lines, write, writeX } = plot;
  const top = TITLE_HEIGHT + lines.length * LEGEND_HEIGHT + 8;
  const bottom = top + PLOT_HEIGHT;
  const scale = scales(plot, top, bottom);
  const yTicks = ticks(scale.yMost).map((value) =>
    [
      `<line class="grid" x1="${AXIS_WIDTH}" x2="${WIDTH - MARGIN}" y1="${coordinate(scale.y(value))}" y2="${coordinate(scale.y(value))}"/>`,
      text(AXIS_WIDTH - 8, scale.y(value) + 4, write(value), 'end', 'quiet'),
    ].join('\n'),
  );
  const xTicks = [...new Set(lines.flatMap(({ points }) => points.map(({ x }) => x)))].map((value) =>
    text(scale.x(value), bottom + 18, writeX(value), 'middle', 'quiet'),
  );
  const drawn = lines.map(({ label, points }, index) => {
    const colour = `line${index % LINE_COLOURS}`;
    const path = points.map(({ x, y }) => `${coordinate(scale.x(x))},${coordinate(scale.y(y))}`);
    const legendY = TITLE_HEIGHT + index * LEGEND_HEIGHT;
    return [
      `<polyline class="${colour}" points="${path.join(' ')}"/>`,
      ...points.map(
        ({ x, y }) =>
          `<circle class="${colour}" cx="${coordinate(scale.x(x))}" cy="${coordinate(scale.y(y))}" r="3"/>`,
      ),
      `<line class="${colour}" x1="${AXIS_WIDTH}" x2="${AXIS_WIDTH + 22}" y1="${legendY}" y2="${legendY}"/>`,
      text(AXIS_WIDTH + 30, legendY + 4, label, 'start'),
    ].join('\n');
  });
  const axis = text((AXIS_WIDTH + WIDTH - MARGIN) / 2, bottom + 38, xLabel, 'middle', 'quiet');
  return svg(bottom + AXIS_HEIGHT + 6, title, [heading(title, yLabel), ...yTicks, ...xTicks, ...drawn, axis]);
}

function scales({ lines, isLogX = false }: LinePlot, top: number, bottom: number) {
  const points = lines.flatMap((line) => line.points);
  const on = (x: number) => (isLogX ? Math.log(x) : x);
  const xs = points.map(({ x }) => on(x));
  const [xLeast, xMost] = [Math.min(...xs), Math.max(...xs)];
  const left = AXIS_WIDTH + 24;
  const room = WIDTH - MARGIN - 36 - left;
  const yMost = ticks(Math.max(...points.map(({ y }) => y))).at(-1) ?? 1;
  return {
    yMost,
    x: (value: number) => left + (room * (on(value) - xLeast)) / (xMost - xLeast || 1),
    y: (value: number) => bottom - ((bottom - top) * value) / yMost,
  };
}

/** Returns round values from 0 to at least `most`. */
function ticks(most: number): readonly number[] {
  const rough = most / (TICKS - 1);
  const power = 10 ** Math.floor(Math.log10(rough || 1));
  const step = ([1, 2, 2.5, 5].find((factor) => factor * power >= rough * 0.999_999) ?? 10) * power;
  const count = Math.max(1, Math.ceil(most / step - 1e-6));
  return Array.from({ length: count + 1 }, (_, i) => i * step);
}

function whisker(from: number, to: number, y: number): string {
  const [left, right] = [coordinate(from), coordinate(to)];
  return `<path class="whisker" d="M${left} ${y - 5}v10M${left} ${y}H${right}M${right} ${y - 5}v10"/>`;
}

function heading(title: string, below: string): string {
  return `${text(MARGIN, 24, title, 'start', 'title')}\n${text(MARGIN, 42, below, 'start', 'quiet')}`;
}

function text(x: number, y: number, words: string, anchor: 'start' | 'middle' | 'end', name = ''): string {
  const className = name === '' ? '' : ` class="${name}"`;
  return `<text${className} x="${coordinate(x)}" y="${coordinate(y)}" text-anchor="${anchor}">${escape(words)}</text>`;
}

function svg(height: number, title: string, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escape(title)}">
<style>${STYLE}</style>
<rect class="ground" width="${WIDTH}" height="${height}"/>
${parts.filter((part) => part !== '').join('\n')}
</svg>
`;
}

const coordinate = (value: number) => String(Math.round(value * 10) / 10);

const escape = (words: string) =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

// Colours by Okabe and Ito, which people who see few colours can tell apart too.
const STYLE = `
text{font:13px system-ui,sans-serif;fill:#1f2328}
.title{font-size:16px;font-weight:600}
.quiet{font-size:12px;fill:#59636e}
.value{font-weight:600}
.ground{fill:#fff}
.other{fill:#9aa4af}.ours{fill:#0072b2}
.whisker{stroke:#1f2328;fill:none}
.mark{stroke:#b3261e;stroke-dasharray:5 4}
.grid{stroke:#d8dee4}
polyline,.line0,.line1,.line2,.line3,.line4,.line5{fill:none;stroke-width:2}
.line0{stroke:#0072b2}.line1{stroke:#d55e00}.line2{stroke:#009e73}.line3{stroke:#cc79a7}.line4{stroke:#8a6d00}.line5{stroke:#59636e}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.quiet{fill:#9da7b1}.ground{fill:#0d1117}
.other{fill:#6e7681}.ours{fill:#56b4e9}
.whisker{stroke:#e6edf3}.mark{stroke:#ff8a80}.grid{stroke:#30363d}
.line0{stroke:#56b4e9}.line1{stroke:#e69f00}.line2{stroke:#2fc79a}.line3{stroke:#e5a3c8}.line4{stroke:#f0e442}.line5{stroke:#9da7b1}
}`;
