import { expect, test } from 'vitest';
import type { ImportFormat } from './import-row.js';
import { recogniseFormat } from './recognise-format.js';

test.each<[string, ImportFormat]>([
  ['url', 'csv'],
  ['name\turl\nx\thttps://example.com/?a=1,2;3', 'csv'],
  ['"url";"name"\r\n', 'csv'],
  ['\n,,\nurl,name\r', 'csv'],
  ['url,slgu', 'csv'],
  ['Long URL,Short code,Title', 'shlink-csv'],
  ['long_url,link,title,created_at', 'bitly-csv'],
  ['keyword\turl\ttitle\ttimestamp\tip\tclicks', 'yourls-csv'],
  ['[]', 'json'],
  ['[ nope, {"configuration":{}}]', 'json'],
  ['[{"configuration":{"smart', 'json'],
  ['{"configuration":{}}', 'json'],
  ['{"configuration":{},\n"data":[1]}', 'json'],
  ['[{"name":"n","slug":"s","url":"u"}]', 'json'],
  ['[{"long_url":"u","id":"bit.ly/1"}]', 'bitly-json'],
  ['{"data":[{"target":"u","address":"a"}]}\n{"data":[]}', 'kutt-json'],
  ['{"result":[{"keyword":"k","url":"u"}]}', 'yourls-json'],
])('recognises %j', async (text, format) => {
  expect(await recogniseFormat(Buffer.from(text))).toMatchObject({ format });
});

test('takes the given format and not the detected one', async () => {
  const bytes = Buffer.from('keyword,url,longUrl,shortCode');
  expect(await recogniseFormat(bytes)).toMatchObject({ format: 'shlink-csv' });
  expect(await recogniseFormat(bytes, 'yourls-csv')).toMatchObject({ kind: 'csv', format: 'yourls-csv' });
  expect(await recogniseFormat(Buffer.from('{"x":1}'), 'json')).toMatchObject({
    kind: 'json',
    format: 'json',
  });
});

const NO_LINKS =
  'is JSON, but holds no known kind of links. Expected are create bodies like {"configuration": …}, or objects with name, slug and url: see docs/import.md';

test.each<[string, string | Buffer, string]>([
  ['a plain list', 'https://a.org\n', 'needs a first line that names the columns, such as url'],
  ['nothing', ' \r\n\t ', 'is empty'],
  ['UTF-16', Buffer.from('\ufeffurl,name', 'utf16le'), 'is UTF-16: save it as CSV UTF-8'],
  ['UTF-16 without a mark', Buffer.from('url,name', 'utf16le'), 'is not text'],
  ['a workbook', 'PK\u0003\u0004', 'is a ZIP archive or a workbook: unpack it, or save the sheet as CSV'],
  ['a database', 'SQLite format 3\0', 'is an SQLite database: export the table of links as CSV'],
  ['gzip in gzip', Buffer.from([0x1f, 0x8b, 8]), 'is compressed twice'],
  ['an SQL dump', '-- MySQL dump\nINSERT', 'is an SQL dump: export the table of links as CSV'],
  ['a page', ' <!DOCTYPE html>', 'is HTML or XML, not CSV or JSON'],
  ['prose', 'Dear \u001b[2Jreader,\nhello', 'is not text'],
  [
    'other tables',
    'title;short;destination\n',
    'has no known column names. Its first line is: title, short, destination. Name the columns name, slug, url, createdAt and clicks, or keep the heading of a service: see docs/import.md',
  ],
  [
    'a table of the export',
    'name,address,type,destination,status,created,clicks,scans,fallbacks\n',
    'is an export as CSV, which is for spreadsheets and lacks most of a link: import an export as JSON',
  ],
  [
    'no UTF-8',
    Buffer.from([0x75, 0x72, 0x6c, 0x2c, 0xe9, 0x0a]),
    'has no heading: line 1 is not UTF-8: save it as CSV UTF-8',
  ],
  ['a line without end', 'x'.repeat(100_000), 'has no heading: its first line has no end within 65536 bytes'],
  ['other JSON', '[{"a":1}]', NO_LINKS],
  ['other JSON', '{"a":[{"configuration":{}}]}', NO_LINKS],
  ['JSON without links', '{"data":[]}', NO_LINKS],
])('names the format of %s', async (_what, content, problem) => {
  expect(await recogniseFormat(Buffer.from(content))).toEqual({ problem });
});
