import type { Section } from './statement.js';
import * as t from './test-files.js';

const ALL_LINKS = t.resolve('an App with all links sends …');
const WITHOUT_OWN = t.resolve(
  'an App without a store of their own sends Huawei and Fire to Google Play, an iPad to the App Store, and no Mac there',
);
const ASKED = t.resolve('an App asks Safari on a Macintosh whether it is an iPad, and says what follows');
const PREVIEWED = t.resolve(
  'bots and previews a preview is made of openGraph, and without one follows the link uncounted, as bots always do',
);
const PROTECTED = t.resolve(
  'bots and previews a protected link asks people for the password, shows previews none of the target, and counts neither',
);

/** decisions.md: App routing, redirects and what is counted, as the dry run of the API shows them. */
export const ROUTING: readonly Section[] = [
  {
    title: 'Where a visitor goes, as the dry run shows it',
    statements: {
      'dry-run': [
        'GET /smartlink/resolve says where a visitor of a User-Agent and a country would go, by which rule, and as what the visit would count',
        ALL_LINKS,
        t.resolve('every type a Url leads to its url'),
      ],
      'dry-run-nothing': [
        'It stores nothing and counts nothing',
        t.resolveRequests('takes one statement, writes nothing and counts nothing'),
      ],
      'dry-run-owner': [
        'It is for the owner, and a foreign id and an unknown one answer the same',
        t.resolveRequests('another’s id and an unknown one answer byte for byte the same, as in a fetch'),
      ],
      'dry-run-faults': [
        'A parameter that is none is told at its name',
        t.resolveRequests('the parameters …'),
      ],
      'route-order': [
        'Fire goes to Amazon, Huawei to AppGallery, Android to Google Play, iPads and iPhones to theirs, Macs and Windows to theirs, the rest to the fallback',
        ALL_LINKS,
        t.platform('fire: …'),
        t.platform('huawei: …'),
        t.platform('an agent newer than any list is placed by its tokens: …'),
      ],
      'route-next': [
        'Huawei and Fire without a link of their own use Google Play, an iPad the App Store, a Mac never the iPhone’s',
        WITHOUT_OWN,
      ],
      'route-list': [
        'Where nothing fits and there is no fallBackLink, a page lists the stores',
        t.resolve('an App without a fallBackLink shows the list of its stores, a fallback too'),
      ],
      'route-ipad': [
        'Safari on a Macintosh is asked whether it is an iPad where that makes a difference',
        ASKED,
        t.decideAgents('Safari on a Macintosh is asked whether it is an iPad where …'),
        t.decideAgents('nobody is asked where …'),
      ],
      'route-preview': [
        'Link previews get Open Graph tags when the link has an openGraph or a password, else they follow it, uncounted',
        PREVIEWED,
        PROTECTED,
        t.previewAgents('makes a preview: …'),
      ],
      'route-preview-protected': ['Of a protected link they never see the target', PROTECTED],
      'route-status': [
        'A link that is Paused or Deleted leads nowhere and is not counted',
        t.resolve('every type that is paused or deleted says so and counts nothing: …'),
        t.countVisit('a paused link does not count and is tallied'),
        t.countVisit('a deleted link does not count and is tallied'),
      ],
    },
  },
];
