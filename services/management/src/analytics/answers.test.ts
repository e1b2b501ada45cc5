import { expect, test } from 'vitest';
import { toCsv } from './answers.js';

const entry = {
  date: '2026-03-10',
  clicks: 3,
  scans: 1,
  fallbacks: 0,
  uniqueVisitors: 2,
  countries: { DE: 1, US: 3 },
  devices: {},
  browsers: {},
  operatingSystems: {},
  referrers: {},
  languages: {},
  utmSources: {},
  utmMediums: {},
  utmCampaigns: {},
  domains: {},
  routes: {},
  excluded: {},
  presses: {},
};

test('is a heading and a line an entry, with CRLF, the largest of a map first', () => {
  expect(toCsv([entry])).toBe(
    'date,clicks,qrScans,fallbacks,uniqueVisitors,countries,devices,browsers,operatingSystems,referrers,excluded\r\n' +
      '2026-03-10,3,1,0,2,"US=3; DE=1",,,,,\r\n',
  );
  expect(toCsv([]).split('\r\n')).toHaveLength(2);
});

test.each([
  '=cmd|calc',
  '+1',
  '-1',
  '@SUM(A1)',
  '＝cmd|calc',
  '＋1',
  '－1',
  '＠SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
])('a referrer %j cannot become a formula, a cell or a line of its own', (host) => {
  const csv = toCsv([{ ...entry, referrers: { [host]: 1 } }]);
  expect(csv).toContain(`'${host}=1`);
  const quoted = toCsv([{ ...entry, referrers: { [`${host}",x`]: 1 } }]);
  expect(quoted).toContain(`"'${host}"",x=1"`);
  const split = toCsv([{ ...entry, referrers: { [`a;${host}`]: 2, [host]: 1 } }]);
  expect(split).toContain(`a;'${host}=2; '${host}=1`);
});
