import { expect, test } from 'vitest';
import { trialSize } from '@smartlink/test-support/trial-size';
import { importFrame } from './import-frame.js';

const own = importFrame();

const LINKS = trialSize(1_000, 100_000);

test(
  `${LINKS} links of a CSV file, and as many of an export, are all there`,
  async () => {
    const [ann, bob] = [await own.createOwner(), await own.createOwner()];
    const rows = Array.from(
      { length: LINKS },
      (_, i) =>
        `link ${i},s${i},https://example.org/some/path/${i}?campaign=${i % 7},2024-05-06T07:08:09Z,${i % 50}`,
    );
    const file = own.write('many.csv', ['name,slug,url,createdAt,clicks', ...rows, ''].join('\n'));
    const csv = await own.json('import', file, '--email', ann.email);
    expect(csv).toMatchObject({ exitCode: 0, rows: LINKS, created: LINKS, refused: 0, totalsWaiting: 0 });

    const out = own.path('many.json.gz');
    const startedAt = performance.now();
    expect(await own.run('export', '--email', ann.email, '--out', out)).toMatchObject({ exitCode: 0 });
    const exportSeconds = (performance.now() - startedAt) / 1_000;
    // Its slugs are Ann's.
    const taken = await own.json('import', out, '--email', bob.email, '--dry-run');
    expect(taken).toMatchObject({ created: 0, refused: LINKS });
    await own.admin.db.query(`delete from slugs`);
    const json = await own.json('import', out, '--email', bob.email);
    expect(json).toMatchObject({ exitCode: 0, rows: LINKS, created: LINKS, refused: 0, totalsWaiting: 0 });
    expect(await own.linksOf(bob.id)).toEqual(await own.linksOf(ann.id));
    const each = (name: string, seconds: number) =>
      `${name} ${seconds.toFixed(1)} s (${Math.round(LINKS / seconds)}/s)`;
    console.log(
      `${LINKS} links: ${each('CSV in', csv.seconds)}, ${each('export', exportSeconds)}, ${each('export in', json.seconds)}`,
    );
  },
  trialSize(60_000, 900_000),
);
