import { randomBytes, randomUUID } from 'node:crypto';
import { newId } from '@smartlink/smartlink/store';
import type { Admin } from './run-admin.js';
import type { Visited } from './visited.js';

const CONTENT = {
  App: { App: { configuration: { googlePlay: 'https://play.google.com/store/apps/details?id=a.b' } } },
  Url: { Url: { shortener: { url: 'https://example.org/a?b=\\t\t"', protected: true } } },
  Landing: { Landing: { landing: { title: 'Zeile 1\nZeile 2 – ünïcödé 🚀' } } },
  QRTag: { QRTag: { qrTag: { title: 'x' } } },
  DigiCard: { DigiCard: { digiCard: { name: 'Ann' } } },
  TxtBin: { TxtBin: { txtBin: { text: 'a\\b\r\n\tc' } } },
  QrMenu: { QrMenu: { qrMenu: { title: '\\N' } } },
} as const;

/** Gives a visited user something of everything that Postgres keeps, with what is hard to write down. */
export async function fillPostgres(
  { db, json }: Admin,
  { userId, email, smartlinkId }: Visited,
): Promise<void> {
  await json('keys', 'create', email, '--name', 'laptop');
  await json('plans', 'create', 'Mine', '--smartlinks', '7', '--requests-per-minute', '9');
  for (const [type, content] of Object.entries(CONTENT)) {
    const id = newId(Date.now());
    const slug = `T${randomBytes(8).toString('hex')}`;
    await db.query(
      `insert into smartlinks (id, user_id, status, type, name, slug, content, open_graph, password_hash, version, deleted_at)
       values ($1, $2, $3, $4, 'ü', $5, $6, '{"title": "og"}', '$argon2id$x', nextval('smartlink_version'), null)`,
      [id, userId, type === 'QRTag' ? 'Paused' : 'Active', type, slug, JSON.stringify(content)],
    );
    await db.query(
      'insert into slugs (key, slug, user_id, smartlink_id, is_primary) values (lower($1), $1, $2, $3, true)',
      [slug, userId, id],
    );
  }
  const [tag, folder] = [randomUUID(), randomUUID()];
  await db.query(`insert into tags (id, user_id, name, key, color) values ($1, $2, 'Ü', 'ü', '#fff')`, [
    tag,
    userId,
  ]);
  await db.query(`insert into folders (id, user_id, name, key) values ($1, $2, 'F', 'f')`, [folder, userId]);
  await db.query('insert into smartlink_tags select id, $2 from smartlinks where user_id = $1', [
    userId,
    tag,
  ]);
  await db.query(
    `update smartlinks set folder_id = $2, notes = 'N', archived_at = now() where user_id = $1`,
    [userId, folder],
  );
  await db.query(
    `insert into domains (id, user_id, host, status, root_url, asset_links, token)
     values ($1, $2, 'go.example.org', 'Active', 'https://example.org/', '["\\"]', 't')`,
    [randomUUID(), userId],
  );
  await db.query(`insert into slugs (key, slug, is_primary) values ('gone', 'Gone', true)`);
  await db.query('insert into smartlink_totals values ($1, 3, 1, 1)', [smartlinkId]);
  await db.query(
    `insert into idempotency_keys (user_id, key, fingerprint, answer_status, answer_headers, answer_body)
     values ($1, 'k', 'f', 201, '{}', 'a')`,
    [userId],
  );
  const hook = randomUUID();
  await db.query(
    `insert into webhooks (id, user_id, url, event_types, secret, visits_until)
     values ($1, $2, 'https://example.org/', '{smartlink.created,visits.recorded}', 's', now())`,
    [hook, userId],
  );
  await db.query(
    `insert into webhook_deliveries (webhook_id, event_type, data, status, next_attempt_at)
     values ($1, 'smartlink.created', '{}', 'Pending', now()), ($1, 'smartlink.created', '{}', 'Delivered', null)`,
    [hook],
  );
  await db.query(`insert into publish_outbox (slug_key, version) values ('gone', 1)`);
}
