/**
 * Returns the statements of a migration for an engine that takes one at a time. A `;` at the end of a line (a
 * comment may follow it) ends a statement; the `;` itself and pieces made of comments alone are left out.
 */
export function splitStatements(sql: string): readonly string[] {
  const statements: string[] = [];
  let lines: string[] = [];
  const finish = () => {
    const hasCode = lines.some((line) => withoutComment(line).trim() !== '');
    if (hasCode) statements.push(lines.join('\n').trim());
    lines = [];
  };
  for (const line of sql.split(/\r?\n/)) {
    const code = withoutComment(line).trimEnd();
    if (code.endsWith(';')) {
      lines.push(code.slice(0, -1));
      finish();
    } else {
      lines.push(line);
    }
  }
  finish();
  return statements;
}

/** The line up to its `--` comment. A `--` inside quotes (an odd number of quotes before it) is no comment. */
function withoutComment(line: string): string {
  for (let at = line.indexOf('--'); at >= 0; at = line.indexOf('--', at + 2)) {
    const before = line.slice(0, at);
    if ((before.split("'").length - 1) % 2 === 0) return before;
  }
  return line;
}
