import type { PageSource } from '@smartlink/pages/site';

function snippet(slug: string, text: string, title?: string, description?: string): PageSource {
  return { slug, type: 'TxtBin', page: { txtBin: { title, description, text } } };
}

const TYPESCRIPT = `import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';

/** How many requests a client may send in a minute. */
const LIMIT_PER_MINUTE = 60;

type Client = { count: number; resetAt: number };

// Kept in memory: it is empty when the process starts.
const clients = new Map<string, Client>();

function isAllowed(address: string, now: number): boolean {
  const client = clients.get(address);
  if (client === undefined || client.resetAt <= now) {
    clients.set(address, { count: 1, resetAt: now + 60_000 });
    return true;
  }
  client.count += 1;
  return client.count <= LIMIT_PER_MINUTE;
}

const server = createServer((request: IncomingMessage, response) => {
  const address = request.socket.remoteAddress ?? 'unknown';
  if (!isAllowed(address, Date.now())) {
    response.writeHead(429, { 'retry-after': '60' });
    response.end(\`Too many requests from \${address.replace(/^::ffff:/, '')}\\n\`);
    return;
  }
  response.end('Hello\\n');
});

server.listen(8080, () => {
  console.log('Listening on http://localhost:8080');
});
`;

const PROSE = `Welcome to the flat!

The Wi-Fi is called Sahil, the password stands on the card by the door. Hot water needs about two minutes to arrive in the morning; please leave the boiler switched on, it looks after itself.

Rubbish goes into the green containers in the yard, on the left behind the entrance. The shop around the corner is open until eleven in the evening, and the bakery on Nizami street has fresh bread from six.

On the day you leave, simply pull the door shut and put the keys into the letter box with the number 12. If anything is missing or broken, write to us at any hour: we would rather hear of it while you are here.

Have a good time in Baku.
Leyla and Orxan
`;

const ARABIC = `أهلاً بكم في مطعم النخلة

نفتح أبوابنا كل يوم من الساعة 12 ظهراً حتى 11 مساءً، ونقدم الإفطار يوم الجمعة ابتداءً من الساعة 9 صباحاً.

للحجز اتصلوا بالرقم ‎+994501234567 أو اكتبوا إلى info@palm.example وسنرد خلال ساعة.

شبكة Wi-Fi: Palm Guest
`;

const HTML = `<!doctype html>
<html lang="en">
  <!-- What a browser needs to know first. -->
  <head>
    <meta charset="utf-8">
    <title>Caf&eacute; &amp; bakery</title>
    <link rel="stylesheet" href="/style.css?v=3">
  </head>
  <body class="page wide">
    <h1>It's open</h1>
    <img src="door.webp" alt="The blue door" width="640" height="480">
  </body>
</html>
`;

const TABLE = `Day        Opens   Closes   Note
---------  ------  -------  ---------------------
Monday      06:00    20:00
Tuesday     06:00    20:00
Wednesday   06:00    20:00  Delivery of flour
Thursday    06:00    22:00
Friday      06:00    22:00  Live music from eight
`;

// What looks like a comment and what a compiler reads are not the same here (CVE-2021-42574).
const HIDDEN = `const isAdmin = false;
/* check rights \u202e } \u2066if (isAdmin)\u2069 \u2066 begin admins only */
  grantRights();
/* end admins only \u202e { \u2066*/
const user\u200bName = 'zero width';
console.log('\u001b[31mred\u001b[0m', 'soft\u00adhyphen');
`;

const MINIFIED = `${'function f(a,b){return a?b:"";}var x=[1,2,3],y={"k":"v"};for(;;){if(f(x,y))break;}'.repeat(40)}\n`;

const LONG_LINES = `const endpoints = {
  production: 'https://api.example.com/v1/organisations/5f1d7a8a9b1c/projects/main/environments/production/deployments?expand=status,owner&sort=-createdAt&limit=100',
  staging: 'https://staging.example.com/v1/organisations/5f1d7a8a9b1c',
};

export function endpointOf(name) {
  return endpoints[name] ?? endpoints.production; // whoever asks for an environment that there is not gets the one that always is
}
`;

/** Snippets for the tests in a browser and the pictures in docs/pages. */
export const textSamples: Readonly<Record<string, PageSource>> = {
  text: snippet('rate-limit', TYPESCRIPT, 'rate-limit.ts', 'A limit for each client in thirty lines.'),
  'text-prose': snippet('house-rules', PROSE, 'House rules', 'Apartment on the boulevard, third floor'),
  'text-arabic': snippet('palm', ARABIC, 'مطعم النخلة', 'ساعات العمل والحجز'),
  'text-html': snippet('page', HTML, 'index.html'),
  'text-table': snippet('hours', TABLE, 'Opening hours'),
  'text-hidden': snippet('trojan', HIDDEN, 'What the eye does not see'),
  'text-minified': snippet('bundle', MINIFIED, 'bundle.min.js'),
  'text-long-lines': snippet('endpoints', LONG_LINES, 'endpoints.js'),
  'text-one-line': snippet('key', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJv0xGqk3o5Yp2mZ8l1IO0 leyla@laptop'),
  'text-many-lines': snippet(
    'primes',
    Array.from({ length: 5_000 }, (_, i) => `const n${i + 1} = ${(i * 7919) % 1000}; // step ${i}\n`).join(
      '',
    ),
    'Five thousand lines',
  ),
  'text-long-title': snippet(
    'long-title',
    TYPESCRIPT.slice(0, 220),
    'Averylongnamewithoutasinglespaceinit'.repeat(7),
    'A description that goes on for a while, so that it takes more than one line on a phone.\nAnd it has a second line.',
  ),
};
