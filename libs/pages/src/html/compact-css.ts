/**
 * Returns a style sheet of ours as pages carry it: without comments, indentation and line breaks. It knows no strings:
 * a rule whose strings hold line breaks or comment marks must not come here.
 */
export function compactCss(css: string): string {
  return css
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s*\n\s*/g, '')
    .replace(/\s*([{};,>])\s*/g, '$1')
    .replace(/:\s+/g, ':')
    .replaceAll(';}', '}')
    .trim();
}
