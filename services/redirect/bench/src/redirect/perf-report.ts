/** One function, by the processor time that it took itself. */
export type ProfileEntry = {
  /** 0 to 1, of all samples. */
  readonly share: number;
  /** The file whose code it is, as perf names it. */
  readonly object: string;
  readonly name: string;
  readonly isKernel: boolean;
};

const COLLECTOR = /Scaveng|Mark-?Compact|Marking|Evacuat|Sweep|Heap|GCTracer|Slot|NewSpace|YoungGeneration/;

/** Returns the lines of `perf report -F overhead,dso,sym -t '|'`; functions of V8 with file and line, without folders. */
export function readReport(report: string): readonly ProfileEntry[] {
  return report.split('\n').flatMap((line) => {
    const [, overhead, object = '', kind, symbol = ''] =
      /^\s*([\d.]+)%\s*\|([^|]*?)\s*\|\[([.k])\]\s*(.*?)\s*$/.exec(line) ?? [];
    if (overhead === undefined) return [];
    return [{ share: Number(overhead) / 100, object, name: shortName(symbol), isKernel: kind === 'k' }];
  });
}

/** Returns whose code a function is, in words for the page. */
export function groupOf({ object, name, isKernel }: ProfileEntry): string {
  if (isKernel) return 'kernel: sockets, polling, files';
  if (/uws/i.test(object)) return 'uWebSockets.js';
  if (isCompiled(object, name)) {
    if (/ services\/redirect\/| libs\//.test(name)) return 'our functions';
    return name.includes(' node:') ? 'JavaScript of Node' : 'other compiled JavaScript';
  }
  if (name.startsWith('Builtins_')) return 'built-ins of V8';
  if (object === 'node' && COLLECTOR.test(name)) return 'garbage collection';
  return object === 'node' ? 'Node and V8' : 'C library and vDSO';
}

const isCompiled = (object: string, name: string) =>
  object.startsWith('perf-') || object.startsWith('[JIT]') || name.startsWith('JS:');

// `JS:*name file:///…/services/redirect/dist/server.js:64:20`: where the checkout lies is nobody's business.
function shortName(symbol: string): string {
  return symbol
    .replace(/file:\/\/\S*?\/(services|libs|node_modules)\//, '$1/')
    .replaceAll('/dist/', '/')
    .replace(/:(\d+):\d+$/, ':$1');
}
