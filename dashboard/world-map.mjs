// The countries as SVG paths, made at build time: the browser loads no cartography.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { geoNaturalEarth1, geoPath } from 'd3-geo';
import { iso31661NumericToAlpha2 } from 'iso-3166';
import { feature } from 'topojson-client';

const WIDTH = 1000;
const ANTARCTICA = '010';
// No number in ISO 3166; GeoIP databases use this code.
const KOSOVO = 'XK';

/** `{viewBox, countries: [[code, path]]}`. Countries too small for a scale of 1:110m are missing. */
export function drawWorldMap() {
  const file = createRequire(import.meta.url).resolve('world-atlas/countries-110m.json');
  const topology = JSON.parse(readFileSync(file, 'utf8'));
  const world = feature(topology, topology.objects.countries);
  const land = { ...world, features: world.features.filter(({ id }) => id !== ANTARCTICA) };
  const projection = geoNaturalEarth1().precision(0).fitWidth(WIDTH, land);
  const [, [, height]] = geoPath(projection).bounds(land);
  const countries = land.features.map((country) => [codeOf(country), pathOf(projection, country)]);
  return { viewBox: `0 0 ${WIDTH} ${Math.ceil(height)}`, countries };
}

const codeOf = ({ id, properties: { name } }) =>
  iso31661NumericToAlpha2[id] ?? (name === 'Kosovo' ? KOSOVO : '');

/** Whole numbers relative to the point before, which are half as large as absolute ones. */
function pathOf(projection, country) {
  let text = '';
  let [x, y] = [0, 0];
  let start = [x, y];
  const stepTo = (command, toX, toY) => {
    const [dx, dy] = [Math.round(toX) - x, Math.round(toY) - y];
    if (command === 'l' && dx === 0 && dy === 0) return;
    text += `${command}${dx},${dy}`;
    [x, y] = [x + dx, y + dy];
  };
  geoPath(projection, {
    beginPath() {},
    arc() {},
    moveTo(toX, toY) {
      stepTo('m', toX, toY);
      start = [x, y];
    },
    lineTo(toX, toY) {
      stepTo('l', toX, toY);
    },
    closePath() {
      text += 'z';
      [x, y] = start;
    },
  })(country);
  return text;
}
