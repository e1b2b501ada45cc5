import { expect, test } from 'vitest';
import { recognize } from './recognize.js';

test.each([
  ['c', 'const a = 1;\nconsole.log(a);\n'],
  ['c', '#include <stdio.h>\n\nint main(void) {\n  return 0;\n}\n'],
  ['c', 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println("hi")\n}\n'],
  ['c', 'fn main() {\n    let x = 5;\n    println!("{x}");\n}\n'],
  ['c', '<?php\necho "x";\n'],
  ['c', '// what it does\nexport const f = (a) => {\n  return a\n}\n'],
  ['hash', 'def f(x):\n    return x + 1\n\nprint(f(2))\n'],
  ['hash', 'import os\n\nfor name in os.listdir("."):\n    print(name)\n'],
  ['hash', '#!/bin/sh\nls\n'],
  ['hash', 'sudo apt-get update\nsudo apt-get install nginx\n'],
  ['hash', 'class A\n  def b\n    puts "c"\n  end\nend\n'],
  ['hash', 'FROM node:22\nWORKDIR /app\nCOPY . .\nRUN npm ci\nCMD ["node", "."]\n'],
  ['css', '.a {\n  color: red;\n  margin: 0 auto;\n}\n'],
  ['sql', 'select id, name\nfrom people\nwhere age > 17\norder by name;\n'],
  ['sql', 'CREATE TABLE a (\n  id int primary key,\n  b text not null\n);\n'],
  ['json', '{"a": [1, 2]}'],
  ['yaml', 'on:\n  push:\n    branches: [main]\njobs:\n  test:\n    steps:\n      - run: npm test\n'],
  ['ini', '[server]\nport = 80\nhost = "a"\n'],
  ['ini', '# secrets\nDATABASE_URL=postgres://x\nAPI_KEY=abc\n'],
  ['tags', '<!DOCTYPE html>\n<p>Hello'],
  ['tags', '<?xml version="1.0"?>\n<a/>\n'],
])('is certain of %s: %j', (syntax, text) => {
  expect(recognize(text).syntax).toBe(syntax);
});

test.each([
  'Dear all,\n\nfrom Monday on we open at six. Select a table (by the window) and import your own wine!\n\nWith love\n',
  'Salam!',
  'Milk\nBread\n2 eggs\nsalt\n',
  'phone: 050 123 45 67\nemail: a@b.example\naddress: Nizami 12\n',
  'Shopping:\n- milk\n- bread\n- flour 2 kg\n',
  '# Heading\n\nSome text.\n\n- one\n- two\n\n## Another\n\nMore text.\n',
  '#travel #baku #sea\nA good day.\n',
  'Where are you? I am at home.\nIf you come, bring bread.\nWhile I wait, I read.\n',
  'Set the table.\nUpdate the menu.\nDelete nothing.\nCreate a good mood.\n',
  'Сегодня мы открыты до десяти; завтра нет.\nЖдём вас!\n',
  '1. Open the door\n2. Switch on the light; wait\n3. Close the door\n',
  'Roses are red;\nViolets are blue;\nSugar is sweet\nAnd so are you.\n',
  'Я <3 Baku\n',
])('prose is not coloured, and is set as prose: %j', (text) => {
  expect(recognize(text)).toEqual({ syntax: null, layout: 'prose' });
});

test.each([
  ['a table', 'Day      Opens   Closes\nMonday   6       20\nTuesday  6       20\n'],
  ['a log', '2026-01-02 10:00:00 started\n2026-01-02 10:00:01 ready\n'],
  ['a drawing', '┌──┐\n│  │\n└──┘\n'],
  ['a key', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJv0xGqk3o5Yp2mZ8l1IO0 leyla@laptop'],
])('%s keeps its columns and has no colours', (_, text) => {
  expect(recognize(text)).toEqual({ syntax: null, layout: 'code' });
});

test('Markdown with code keeps its columns, and its paragraphs are broken', () => {
  const text = '# Use\n\nRun this:\n\n```\nconst a = 1;\n```\n\nand wait.\n';
  expect(recognize(text)).toEqual({ syntax: null, layout: 'wide' });
});

test('a licence before the code is ignored', () => {
  expect(recognize(`/*\n${'All rights of these people are kept.\n'.repeat(30)}*/\nint a;\n`).syntax).toBe(
    'c',
  );
  expect(recognize(`"""\n${'It does this and that.\n'.repeat(30)}"""\nimport os\n`).syntax).toBe('hash');
});

test('code on lines of 120 characters on average is broken, and only then', () => {
  const line = (length: number) => `const a = '${'x'.repeat(length - 14)}';\n`;
  expect(recognize(line(119).repeat(9)).layout).toBe('code');
  expect(recognize(line(130).repeat(9)).layout).toBe('wide');
});

test('deep nesting is accepted', () => {
  expect(recognize('['.repeat(50_000) + ']'.repeat(50_000)).syntax).toBe('json');
  expect(recognize('['.repeat(100_000)).syntax).toBe(null);
});
