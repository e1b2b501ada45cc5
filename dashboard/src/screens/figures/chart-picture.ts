import { colorTokens } from '@smartlink/pages/theme';
import type { Format } from '../../words/format.js';
import { type Interval, labelOf, type Layout, layOut, tickOf } from './chart-layout.js';
import type { Entry } from './read-figures.js';

const [WIDTH, HEIGHT] = [960, 400];
const PIXELS_PER_POINT = 2;
const MARGIN = { top: 88, right: 24, bottom: 44, left: 68 } as const;
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', Arial, sans-serif";

type Series = { readonly name: string; readonly total: string };

export type ChartPicture = {
  readonly title: string;
  readonly entries: readonly Entry[];
  readonly interval: Interval;
  readonly themeColor: string | undefined;
  readonly clicks: Series;
  readonly scans: Series;
  readonly compared: (Series & Pick<ChartPicture, 'entries' | 'themeColor'>) | null;
  /** For labels of entries. */
  readonly format: Format;
};

/** The chart as a PNG of 1920 × 800 pixels in light colours. */
export async function drawChart(picture: ChartPicture): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH * PIXELS_PER_POINT;
  canvas.height = HEIGHT * PIXELS_PER_POINT;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser has no canvas');
  context.scale(PIXELS_PER_POINT, PIXELS_PER_POINT);
  const ink = inkOf(picture);
  drawHead(context, picture, ink);
  const layout = layOut(picture.entries, picture.compared?.entries ?? [], {
    width: WIDTH - MARGIN.left - MARGIN.right,
    height: HEIGHT - MARGIN.top - MARGIN.bottom,
  });
  context.translate(MARGIN.left, MARGIN.top);
  drawAxes(context, picture, layout);
  drawBars(context, picture, layout, ink);
  if (picture.compared !== null) drawLine(context, layout.line, inkOf(picture.compared));
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error('The picture could not be made'));
      else resolve(blob);
    });
  });
}

const inkOf = ({ themeColor }: Pick<ChartPicture, 'themeColor'>): string =>
  colorTokens(themeColor, 'light').edge;

const { surface, text, muted, border, control } = colorTokens(undefined, 'light');

function drawHead(
  context: CanvasRenderingContext2D,
  { title, entries, interval, clicks, scans, compared, format }: ChartPicture,
  ink: string,
): void {
  context.fillStyle = surface;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.fillStyle = text;
  context.font = `600 20px ${FONT}`;
  context.fillText(title, 24, 36, WIDTH - 48);
  const days = [...new Set([entries[0], entries.at(-1)].flatMap((entry) => entry?.date ?? []))];
  context.font = `14px ${FONT}`;
  context.fillStyle = muted;
  context.textAlign = 'end';
  context.fillText(days.map((date) => labelOf(date, interval, format)).join(' – '), WIDTH - 24, 64);
  context.textAlign = 'start';
  let left = 24;
  const drawKey = ({ name, total }: Series, drawSign: () => void) => {
    drawSign();
    context.fillStyle = muted;
    const label = `${name}: ${total}`;
    context.fillText(label, left + 20, 64);
    left += 44 + context.measureText(label).width;
  };
  drawKey(clicks, () => drawBar(context, [left, 52.5, 12, 12], ink, true));
  drawKey(scans, () => drawBar(context, [left, 52.5, 12, 12], ink, false));
  if (compared === null) return;
  const line = [
    [left - 6, 58.5],
    [left + 14, 58.5],
  ] as const;
  drawKey(compared, () => drawLine(context, line, inkOf(compared)));
}

function drawAxes(
  context: CanvasRenderingContext2D,
  { interval, format }: ChartPicture,
  { x, y, width, levels, ticks }: Layout,
): void {
  context.font = `12px ${FONT}`;
  for (const level of levels) {
    context.fillStyle = level === 0 ? control : border;
    context.fillRect(0, y(level) - 0.5, width, 1);
    context.fillStyle = muted;
    context.textAlign = 'end';
    context.fillText(format.compact(level), -8, y(level) + 4);
  }
  context.textAlign = 'center';
  for (const date of ticks) {
    context.fillText(tickOf(date, interval, format), (x(date) ?? 0) + x.bandwidth() / 2, y(0) + 20);
  }
}

function drawBars(
  context: CanvasRenderingContext2D,
  { entries }: ChartPicture,
  { x, barLeft, barWidth, height, heightOf }: Layout,
  ink: string,
): void {
  for (const { date, clicks, scans } of entries) {
    const left = (x(date) ?? 0) + barLeft;
    const [ofClicks, ofScans] = [heightOf(clicks), heightOf(scans)];
    if (clicks > 0) drawBar(context, [left, height - ofClicks, barWidth, ofClicks], ink, true);
    if (scans > 0) drawBar(context, [left, height - ofClicks - ofScans, barWidth, ofScans], ink, false);
  }
}

/** Clicks are filled; scans are an outline. */
function drawBar(
  context: CanvasRenderingContext2D,
  [x, y, width, height]: readonly [x: number, y: number, width: number, height: number],
  ink: string,
  isFilled: boolean,
): void {
  context.fillStyle = ink;
  context.globalAlpha = isFilled ? 1 : 0.2;
  context.fillRect(x, y, width, height);
  context.globalAlpha = 1;
  if (isFilled) return;
  context.strokeStyle = ink;
  context.lineWidth = 1.5;
  context.strokeRect(x + 0.75, y + 0.75, Math.max(0, width - 1.5), Math.max(0, height - 1.5));
}

function drawLine(
  context: CanvasRenderingContext2D,
  points: readonly (readonly [x: number, y: number])[],
  ink: string,
): void {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.strokeStyle = surface;
  context.lineWidth = 4;
  context.stroke();
  context.strokeStyle = ink;
  context.lineWidth = 2;
  context.setLineDash([4, 3]);
  context.stroke();
  context.setLineDash([]);
}
